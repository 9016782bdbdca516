package dev.hearth.spi.rpc;

import java.util.List;

/** What an env was doing at one moment. Times are ages in milliseconds; counts run from the opening of what they count. */
public record RpcSnapshot(
        String address, boolean authenticated, List<ScopeState> scopes, List<PeerState> peers, Refusals refusals) {
    public RpcSnapshot {
        scopes = List.copyOf(scopes);
        peers = List.copyOf(peers);
    }

    /** One scope with its endpoints, and the names that its streams begin with. */
    public record ScopeState(String name, boolean ownSecret, List<EndpointState> endpoints, List<String> streams) {
        public ScopeState {
            endpoints = List.copyOf(endpoints);
            streams = List.copyOf(streams);
        }
    }

    /** One endpoint: where it runs, what waits for it, what it handled, and how often it failed. */
    public record EndpointState(String name, String dispatch, int waiting, long handled, long failed) {}

    /**
     * One connection: what kind, with whom, and what went over it; the messages of bulk data are its requests, answers
     * and pieces.
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

    /** Connections that came to nothing, by reason, and connections still in their handshake. */
    public record Refusals(
            int inHandshake, long foreign, long tooMany, long timedOut, long notAuthenticated, long unknownScope) {}

    /** What a connection carries. */
    public enum Lane {
        MESSAGES,
        BULK,
        HTTP
    }
}
