-- The customers' overview has the icon of the operators'.
UPDATE menu SET meta = meta || '{"icon": "dashboard"}' WHERE id IN (701, 703);

SELECT grant_app();
