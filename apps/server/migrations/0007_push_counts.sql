-- The list of pushes counts what was refused without reading every node's answer.

CREATE INDEX push_feedback_refused_revision ON push_feedback (scope, revision) WHERE state = 'refused';
