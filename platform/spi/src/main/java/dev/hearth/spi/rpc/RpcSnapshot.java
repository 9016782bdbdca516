package dev.hearth.spi.rpc;

import java.util.List;

/**
 * State of an env at one moment. Times are ages in milliseconds; counters start at the opening of the env, endpoint or
 * connection that they describe. Immutable.
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
     * Connection with its kind, remote side and traffic. Messages of a bulk connection are requests, answers and
     * pieces.
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

    /** Refused connections by reason, and connections in their handshake. */
    public record Refusals(
            int inHandshake, long foreign, long tooMany, long timedOut, long notAuthenticated, long unknownScope) {}

    /** Kind of a connection. */
    public enum Lane {
        MESSAGES,
        BULK,
        HTTP
    }
}
