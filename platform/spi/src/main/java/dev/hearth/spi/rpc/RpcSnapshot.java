package dev.hearth.spi.rpc;

import java.util.List;

/**
 * State of an RPC environment at one moment, for display. Times are ages in milliseconds. Counters start when the
 * environment, endpoint or connection that they describe is opened. Immutable.
 */
public record RpcSnapshot(
        String address, boolean authenticated, List<ScopeState> scopes, List<PeerState> peers, Refusals refusals) {
    public RpcSnapshot {
        scopes = List.copyOf(scopes);
        peers = List.copyOf(peers);
    }

    /** Scope with its endpoints and the name prefixes of its streams. */
    public record ScopeState(String name, boolean ownSecret, List<EndpointState> endpoints, List<String> streams) {
        public ScopeState {
            endpoints = List.copyOf(endpoints);
            streams = List.copyOf(streams);
        }
    }

    /** Endpoint: execution mode, queued messages, handled messages and failures. */
    public record EndpointState(String name, String dispatch, int waiting, long handled, long failed) {}

    /**
     * Connection with its kind, remote address and traffic. On a connection for bulk data, requests, answers and pieces
     * of data count as messages.
     */
    public record PeerState(
            long id,
            String scope,
            Lane lane,
            String remote,
            String security,
            long ageMillis,
            long idleMillis,
            int asksUnderWay,
            long bytesQueued,
            long messagesSent,
            long messagesReceived,
            long bytesSent,
            long bytesReceived,
            boolean paused) {}

    /** Number of refused connections by reason, and of connections whose handshake is in progress. */
    public record Refusals(
            int inHandshake, long foreign, long tooMany, long timedOut, long notAuthenticated, long unknownScope) {}

    /** Purpose of a connection. */
    public enum Lane {
        MESSAGES,
        BULK,
        HTTP
    }
}
