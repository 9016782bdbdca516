package dev.hearth.junit;

import dev.hearth.api.HearthContext;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The context of one test class or method. It is opened when a test first asks for it; JUnit's store closes it when the
 * class or method has ended. Thread-safe; guarded by itself.
 */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes no AutoCloseable
final class ManagedContext implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private final ContextOptions options;
    private final String owner;
    private final String name;
    private final Consumer<String> leftovers;
    private @Nullable HearthContext open;

    /**
     * {@code owner} is the JUnit id of the test class or method; {@code leftovers} takes a message about jobs that
     * still ran when the context was closed.
     */
    ManagedContext(ContextOptions options, String owner, String name, Consumer<String> leftovers) {
        this.options = options;
        this.owner = owner;
        this.name = name;
        this.leftovers = leftovers;
    }

    ContextOptions options() {
        return options;
    }

    boolean isOwnedBy(ExtensionContext test) {
        return owner.equals(test.getUniqueId());
    }

    synchronized HearthContext context() {
        HearthContext known = open;
        if (known == null) {
            known = options.open(name);
            UnmanagedContexts.manage(known);
            open = known;
        }
        return known;
    }

    @Override
    public synchronized void close() {
        HearthContext known = open;
        open = null;
        if (known == null) {
            return;
        }
        List<Integer> running = known.statusTracker().activeJobs();
        try {
            known.close();
        } finally {
            UnmanagedContexts.release(known);
        }
        if (!running.isEmpty()) {
            leftovers.accept("context of " + name + ": closed while jobs " + running
                    + " ran (expected: none); wait for their futures, or cancel them");
        }
    }
}
