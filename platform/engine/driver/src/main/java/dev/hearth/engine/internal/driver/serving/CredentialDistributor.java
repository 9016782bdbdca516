package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCredential;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Credentials of an application, the latest of each kind, and the connections of the executors that have them. Owned by
 * the driver's event loop. Invariant: what was set last has been sent to every connected executor, in the answer to its
 * registration or in a message after that; a connection delivers messages in order, so the latest arrives last.
 */
public final class CredentialDistributor {
    /** Maximum number of kinds of credentials. */
    private static final int KINDS_MAX = 64;
    /** Maximum size of the credentials of one kind. */
    private static final int BYTES_MAX = 1 << 20;

    private final Map<String, UpdateCredential> latest = new LinkedHashMap<>();
    private final Map<Long, EndpointRef> executors = new LinkedHashMap<>();
    private long version;

    /** Adds the connection of an executor that registers. Returns what the answer to the registration must contain. */
    public List<UpdateCredential> register(Peer peer) {
        executors.put(peer.id(), peer.endpoint(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL));
        return List.copyOf(latest.values());
    }

    /** Forgets a connection that has ended. */
    public void lost(long peer) {
        executors.remove(peer);
    }

    /** Replaces the credentials of one kind, and sends them to all executors. */
    public void set(String kind, Bytes content) {
        String subject = "credentials of kind '" + kind + "': ";
        if (kind.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure(subject + "no name (expected: the name of a kind)");
        }
        if (content.size() > BYTES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    subject + content.size() + " bytes (expected: at most " + BYTES_MAX + ")");
        }
        if (latest.size() >= KINDS_MAX && !latest.containsKey(kind)) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    subject + "there are " + KINDS_MAX + " kinds already (expected: at most that many)");
        }
        UpdateCredential changed = new UpdateCredential(kind, ++version, content);
        latest.put(kind, changed);
        executors.values().forEach(executor -> executor.send(changed));
    }
}
