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

    /**
     * State of one {@link RpcScope}: its endpoints, the name prefixes of its streams, and whether it has a secret of
     * its own.
     */
    public record ScopeState(String name, boolean ownSecret, List<EndpointState> endpoints, List<String> streams) {
        public ScopeState {
            endpoints = List.copyOf(endpoints);
            streams = List.copyOf(streams);
        }
    }

    /**
     * State of one endpoint: its execution mode, and the numbers of messages queued now, handled so far and failed so
     * far.
     */
    public record EndpointState(String name, String dispatch, int waiting, long handled, long failed) {}

    /**
     * State of one connection: its purpose, remote address and traffic. On a connection for bulk data, requests,
     * answers and pieces of data count as messages.
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

    /**
     * Numbers of connections refused so far, by reason, and the number of those whose handshake is in progress ({@code
     * inHandshake}).
     */
    public record Refusals(
            int inHandshake, long foreign, long tooMany, long timedOut, long notAuthenticated, long unknownScope) {}

    /** Purpose of a connection: messages, bulk data or HTTP. */
    public enum Lane {
        MESSAGES,
        BULK,
        HTTP
    }
}
