-- Finds the tokens that ended long ago without reading the others.
CREATE INDEX token_by_revocation ON token (revoked) WHERE revoked IS NOT NULL;
CREATE INDEX token_by_expiry ON token (expires) WHERE expires IS NOT NULL;
