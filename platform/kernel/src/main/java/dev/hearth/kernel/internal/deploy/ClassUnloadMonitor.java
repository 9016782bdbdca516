package dev.hearth.kernel.internal.deploy;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when the class loaders of removed bundles are garbage-collected, so that leaks can be noticed. Owned by the
 * deployer's event loop.
 */
final class ClassUnloadMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(ClassUnloadMonitor.class);

    private final ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
    private final Map<Reference<ClassLoader>, String> waiting = new LinkedHashMap<>();

    void watch(ClassLoader classes, String bundle) {
        waiting.put(new PhantomReference<>(classes, collected), bundle);
    }

    /**
     * Logs, per bundle, that its class loader was garbage-collected, for those that were collected since the last call.
     */
    void logCollected() {
        for (Reference<? extends ClassLoader> gone = collected.poll(); gone != null; gone = collected.poll()) {
            LOG.info("deploy: the classes of {} were collected", waiting.remove(gone));
        }
    }
}
