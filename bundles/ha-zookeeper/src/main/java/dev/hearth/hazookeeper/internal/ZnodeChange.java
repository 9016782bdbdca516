package dev.hearth.hazookeeper.internal;

/** One change, or one check, of a transaction. */
sealed interface ZnodeChange {
    /** The node that it concerns. */
    String path();

    /** Creates a node; an ephemeral one goes with the session. */
    @SuppressWarnings("ArrayRecordComponent") // passed on at once
    record Create(String path, byte[] content, boolean ephemeral) implements ZnodeChange {}

    /** Rewrites a node that has the version {@code version}; -1 stands for any version. */
    @SuppressWarnings("ArrayRecordComponent") // passed on at once
    record Write(String path, byte[] content, int version) implements ZnodeChange {}

    record Delete(String path) implements ZnodeChange {}

    /** Requires that a node has the version {@code version}. */
    record Check(String path, int version) implements ZnodeChange {}
}
