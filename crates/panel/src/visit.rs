//! Who asks for a page: somebody with a session, or anybody.
