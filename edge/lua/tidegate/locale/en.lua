return {
    lang = "en",
    request = "Request ID",
    time = "Time",
    host = "Host",
    titles = {
        no_site = "Site not found",
        disabled = "Site paused",
        origin_refused = "Origin not allowed",
        origin_failed = "The origin server cannot be reached",
        origin_timeout = "The origin server did not answer in time",
        origin_unresolved = "The origin server's name cannot be resolved",
        loop = "Request loop",
    },
    texts = {
        no_site = "No site with this name is served here. Check the address, or wait a moment if it was added just now.",
        disabled = "The owner of this site has paused it.",
        origin_refused = "The origin of this site is at an address that is not allowed.",
        origin_failed = "The server behind this site refused or broke the connection. Please try again later.",
        origin_timeout = "The server behind this site took too long. Please try again later.",
        origin_unresolved = "The name of the server behind this site has no address at present. Please try again later.",
        loop = "This request came back to where it had been before: the origin of the site leads to the site itself.",
    },
}
