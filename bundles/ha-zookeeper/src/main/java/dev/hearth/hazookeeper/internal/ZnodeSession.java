package dev.hearth.hazookeeper.internal;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Session of one process with an ensemble that keeps a tree of nodes. It outlives lost connections, until the ensemble
 * has received nothing from it for the session timeout. Requests are carried out in their order. Results complete on any thread, and fail
 * with {@link ZnodeRefused}.
 */
interface ZnodeSession {
    /** Content of a node. {@code owner} is the session of an ephemeral node, otherwise 0. */
    @SuppressWarnings("ArrayRecordComponent") // passed on at once
    record Node(byte[] content, int version, long owner) {}

    /** Receives what becomes of a session. Called on any thread, by one at a time. */
    interface Listener {
        void connected();

        void disconnected();

        /** The session has ended; its ephemeral nodes are gone. */
        void expired();

        /** The ensemble does not accept the password of this process. */
        void forbidden();

        /** A node that was read with a watch has changed or is gone. */
        void changed(String path);
    }

    /** The number of this session; known once it is connected. */
    long id();

    /** Reads a node. If {@code watched}, the listener is called once when it changes. */
    CompletionStage<Node> read(String path, boolean watched);

    /** Names of the nodes below {@code path}, in no order. */
    CompletionStage<List<String>> children(String path);

    /** Makes all {@code changes} or none. */
    CompletionStage<Void> change(List<ZnodeChange> changes);

    /** Ends the session, with its ephemeral nodes, if the ensemble can be reached. Completes when it has ended. */
    CompletionStage<Void> end();
}
