package dev.hearth.hazookeeper.internal;

import java.io.IOException;

/** Servers that keep a tree of nodes. Any thread may call. */
interface Ensemble {
    /** Describes the servers to people. */
    String place();

    /** Begins a session, which connects later. */
    ZnodeSession open(ZnodeSession.Listener listener) throws IOException;
}
