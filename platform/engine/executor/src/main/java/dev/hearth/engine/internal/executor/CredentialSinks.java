package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCredential;
import dev.hearth.spi.application.CredentialSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Credentials that the driver has sent to this executor, and the services that receive them. Guarded by its own lock,
 * which is held while services are called, so that each receives the versions of one kind in order. Invariant: each
 * service has received the latest version of its kinds; a service that fails receives the next one again.
 */
public final class CredentialSinks {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialSinks.class);

    private final Map<String, UpdateCredential> latest = new LinkedHashMap<>();
    private final List<Registered> sinks = new ArrayList<>();

    /** A service and the kinds of credentials that it receives. */
    private record Registered(CredentialSink sink, List<String> kinds) {}

    /** Adds a service, which receives the credentials that are known. {@code kinds} is its property of that name. */
    public synchronized void add(CredentialSink sink, Object kinds) {
        Registered added = new Registered(sink, kinds(kinds));
        sinks.add(added);
        latest.values().forEach(credential -> deliver(credential, added));
    }

    public synchronized void remove(CredentialSink sink) {
        sinks.removeIf(registered -> registered.sink == sink);
    }

    /** Passes credentials to the services of their kind, unless a later version is known. */
    public synchronized void update(UpdateCredential credential) {
        UpdateCredential known = latest.get(credential.kind());
        if (known == null || known.version() < credential.version()) {
            latest.put(credential.kind(), credential);
            sinks.forEach(registered -> deliver(credential, registered));
        }
    }

    private static void deliver(UpdateCredential credential, Registered to) {
        if (!to.kinds.contains(credential.kind())) {
            return;
        }
        try {
            to.sink.accept(credential.kind(), credential.content());
        } catch (RuntimeException | LinkageError failure) {
            LOG.error("credentials of kind {}: {} failed to take them", credential.kind(), to.sink.getClass(), failure);
        }
    }

    private static List<String> kinds(Object property) {
        if (property instanceof String kind) {
            return List.of(kind);
        }
        return property instanceof String[] several ? List.of(several) : List.of();
    }
}
