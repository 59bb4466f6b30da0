return {
    lang = "zh-CN",
    request = "请求 ID",
    time = "时间",
    host = "域名",
    titles = {
        no_site = "站点不存在",
        disabled = "站点已停用",
        origin_refused = "源站地址不被允许",
        origin_failed = "无法连接源站",
        origin_timeout = "源站响应超时",
        origin_unresolved = "无法解析源站域名",
        loop = "请求循环",
    },
    texts = {
        no_site = "此处没有为该域名提供服务。请检查网址；如果刚刚添加，请稍候再试。",
        disabled = "该站点已被其所有者停用。",
        origin_refused = "该站点的源站位于不被允许的地址。",
        origin_failed = "该站点的源站拒绝或中断了连接，请稍后再试。",
        origin_timeout = "该站点的源站响应时间过长，请稍后再试。",
        origin_unresolved = "该站点的源站域名目前没有可用的地址，请稍后再试。",
        loop = "该请求回到了它经过的地方：站点的源站指向了站点自身。",
    },
}
