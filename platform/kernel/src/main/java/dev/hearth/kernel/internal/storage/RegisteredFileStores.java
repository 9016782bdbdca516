package dev.hearth.kernel.internal.storage;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.live.BundleUsage;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.kernel.internal.live.NewestFirst;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.PinnedStores;
import dev.hearth.spi.storage.StoreContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Factories of file stores among the registered services. A factory is created when it is first chosen, and pinned:
 * until the pin is closed, its bundle can be stopped only by force. A scheme that was never served fails at once; one
 * that was served before waits for the next factory. The lock of this object guards the schemes that were served.
 * Thread-safe; lives as long as the OSGi framework.
 */
public final class RegisteredFileStores implements FileStoreRegistry {
    private final BundleContext context;
    private final Consumer<String> missing;
    private final Runnable paths;
    private final Duration wait;
    private final ServiceTracker<FileStores, Candidate> tracker;
    private final List<Candidate> candidates = new ArrayList<>(); // guarded by this
    private final Set<String> served = new HashSet<>(); // guarded by this
    private int added; // guarded by this; number of factories that were registered
    private boolean tracks; // guarded by this; false until the first call, as most processes use no stores

    /**
     * {@code missing} starts factories for a scheme that no bundle has registered yet, {@code paths} those that may have
     * paths without a scheme. {@code wait} is the maximum time that a call waits for a factory if there was one before.
     */
    public RegisteredFileStores(
            BundleContext context, BundleUsageRegistry uses, Consumer<String> missing, Runnable paths, Duration wait) {
        this.context = context;
        this.missing = missing;
        this.paths = paths;
        this.wait = wait;
        tracker = new ServiceTracker<>(context, FileStores.class, null) {
            @Override
            public @Nullable Candidate addingService(ServiceReference<FileStores> reference) {
                // only the bundle is read, because obtaining the service would create every factory
                Bundle owner = reference.getBundle();
                return owner == null ? null : add(new Candidate(reference, uses.of(owner)));
            }

            @Override
            public void removedService(ServiceReference<FileStores> reference, Candidate tracked) {
                drop(tracked);
            }
        };
    }

    private synchronized Candidate add(Candidate candidate) {
        candidates.add(candidate);
        added++;
        notifyAll();
        return candidate;
    }

    private synchronized void drop(Candidate candidate) {
        candidates.remove(candidate);
        candidate.gone = true;
    }

    private void track() {
        synchronized (this) {
            if (tracks) {
                return;
            }
            tracks = true;
        }
        tracker.open();
    }

    @Override
    public PinnedStores pin(String scheme, String holder) {
        track();
        Optional<PinnedStores> found = find(scheme, holder);
        if (found.isEmpty()) {
            missing.accept(scheme);
            found = find(scheme, holder);
        }
        long deadline = System.nanoTime() + wait.toNanos();
        while (found.isEmpty()) {
            int seen = requireServed(scheme);
            found = find(scheme, holder); // again, as a factory may have come between the search and the count
            if (found.isEmpty()) {
                awaitMore(scheme, seen, deadline);
            }
        }
        return found.get();
    }

    @Override
    public Optional<FileName> home(StoreContext application) {
        paths.run();
        track();
        for (Candidate candidate : withHome()) {
            Optional<BundleUsage.Hold> hold = candidate.use.take("application " + application.application());
            if (hold.isPresent()) { // empty if the bundle is being stopped
                Optional<FileName> named = home(candidate.reference, hold.get(), application);
                if (named.isPresent()) {
                    return named;
                }
            }
        }
        return Optional.empty();
    }

    /** Asks one factory, which {@code hold} keeps until it has answered. */
    private Optional<FileName> home(
            ServiceReference<FileStores> reference, BundleUsage.Hold hold, StoreContext application) {
        try {
            FileStores stores = context.getService(reference);
            if (stores == null) { // the factory could not be created; the log contains the cause
                return Optional.empty();
            }
            try {
                return stores.home(application);
            } finally {
                context.ungetService(reference);
            }
        } finally {
            hold.close();
        }
    }

    private synchronized List<Candidate> withHome() {
        List<Candidate> able = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (!candidate.use.isHidden() && Boolean.TRUE.equals(candidate.reference.getProperty(FileStores.HOME))) {
                able.add(candidate);
            }
        }
        able.sort(Comparator.comparing(candidate -> candidate.reference, NewestFirst.order()));
        return able;
    }

    /** Returns the number of factories so far. Fails if the scheme was never served. */
    private synchronized int requireServed(String scheme) {
        if (!served.contains(scheme)) {
            throw FileStoreRegistry.missing(scheme, schemes(), "put the bundle of that store into bundles/ or deploy/");
        }
        return added;
    }

    /** Waits until a factory is registered that {@code seen} does not count. Fails at the deadline. */
    private synchronized void awaitMore(String scheme, int seen, long deadline) {
        while (added == seen) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw absent(scheme, "no other was registered within " + wait.toMillis() + " ms");
            }
            try {
                wait(left / 1_000_000 + 1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw absent(scheme, "the thread that waited for another was interrupted");
            }
        }
    }

    private static HearthException absent(String scheme, String what) {
        return ErrorCode.NO_PROVIDER.failure("file store for scheme '" + scheme + "': removed, and " + what
                + " (expected: a bundle in bundles/ or deploy/ that offers one); see hearth:bundles");
    }

    private Optional<PinnedStores> find(String scheme, String holder) {
        for (Candidate candidate : fitting(scheme)) {
            Optional<BundleUsage.Hold> hold = candidate.use.take(holder);
            if (hold.isPresent()) { // empty if the bundle is being stopped
                FileStores stores = context.getService(candidate.reference);
                if (stores != null) { // null if the factory could not be created; the log contains the cause
                    synchronized (this) {
                        served.add(scheme);
                    }
                    return Optional.of(new Pin(context, candidate, stores, hold.get()));
                }
                hold.get().close();
            }
        }
        return Optional.empty();
    }

    /** The factories for a scheme, newest first; those for every scheme come last. */
    private synchronized List<Candidate> fitting(String scheme) {
        List<Candidate> fitting = new ArrayList<>();
        for (Candidate candidate : candidates) {
            List<String> offered = schemes(candidate.reference);
            if (!candidate.use.isHidden() && (offered.contains(scheme) || offered.contains(FileStores.ANY))) {
                fitting.add(candidate);
            }
        }
        Comparator<Candidate> named =
                Comparator.comparing(candidate -> !schemes(candidate.reference).contains(scheme));
        fitting.sort(named.thenComparing(candidate -> candidate.reference, NewestFirst.order()));
        return fitting;
    }

    private synchronized SortedSet<String> schemes() {
        SortedSet<String> known = new TreeSet<>();
        for (Candidate candidate : candidates) {
            if (!candidate.use.isHidden()) {
                known.addAll(schemes(candidate.reference));
            }
        }
        return known;
    }

    private static List<String> schemes(ServiceReference<FileStores> reference) {
        Object value = reference.getProperty(FileStores.SCHEME);
        if (value instanceof String scheme) {
            return List.of(scheme);
        }
        return value instanceof String[] schemes ? List.of(schemes) : List.of();
    }

    /** Registered factory and the users of its bundle. */
    private static final class Candidate {
        private final ServiceReference<FileStores> reference;
        private final BundleUsage use;
        private volatile boolean gone; // set when the service is unregistered

        Candidate(ServiceReference<FileStores> reference, BundleUsage use) {
            this.reference = reference;
            this.use = use;
        }
    }

    /** Pin of one factory. Drops its references when it is closed, because the owner may keep the closed pin. */
    private static final class Pin implements PinnedStores {
        private final BundleContext context;
        private final BundleUsage.Hold hold;
        private @Nullable Candidate candidate; // guarded by this; null once this pin is closed
        private @Nullable FileStores stores; // guarded by this; null once this pin is closed

        Pin(BundleContext context, Candidate candidate, FileStores stores, BundleUsage.Hold hold) {
            this.context = context;
            this.candidate = candidate;
            this.stores = stores;
            this.hold = hold;
        }

        @Override
        public synchronized FileStores stores() {
            if (stores == null) {
                throw new IllegalStateException("pinned file stores: closed (expected: open)");
            }
            return stores;
        }

        @Override
        public synchronized boolean isGone() {
            return candidate == null || candidate.gone;
        }

        @Override
        public synchronized void close() {
            if (candidate != null) {
                context.ungetService(candidate.reference);
                candidate = null;
                stores = null;
                hold.close();
            }
        }
    }
}
