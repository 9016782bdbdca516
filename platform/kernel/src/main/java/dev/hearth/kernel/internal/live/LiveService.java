package dev.hearth.kernel.internal.live;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.live.Live;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Filter;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Service whose provider can be replaced at run time. Each call goes to the newest provider. During the call, the
 * provider's bundle can be stopped only by force.
 * <p>A lock guards changes of the list of providers; calls to providers run without the lock. Ends by {@link #close}.
 */
final class LiveService<T> implements Live<T> {
    private final Bundle consumer;
    private final Class<T> type;
    private final Filter filter;
    private final BundleUsageRegistry uses;
    private final Absence absence;
    private final Consumer<LiveService<?>> onClose;
    private final BundleContext context;
    private final ServiceTracker<T, Provider<T>> tracker;
    private volatile List<Provider<T>> providers = List.of(); // immutable, newest first
    private long changes; // guarded by this
    private boolean closed; // guarded by this

    LiveService(
            BundleContext context,
            Bundle consumer,
            Class<T> type,
            Filter filter,
            BundleUsageRegistry uses,
            Absence absence,
            Consumer<LiveService<?>> onClose) {
        this.context = context;
        this.consumer = consumer;
        this.type = type;
        this.filter = filter;
        this.uses = uses;
        this.absence = absence;
        this.onClose = onClose;
        this.tracker = new ServiceTracker<>(context, filter, null) {
            @Override
            public @Nullable Provider<T> addingService(ServiceReference<T> reference) {
                return addProvider(reference);
            }

            @Override
            public void removedService(ServiceReference<T> reference, Provider<T> provider) {
                removeProvider(provider);
            }
        };
    }

    void open() {
        tracker.open();
    }

    @Override
    public <R, E extends Exception> R call(Call<? super T, R, E> call) throws E {
        long deadline = System.nanoTime() + absence.bound().toNanos();
        boolean started = false;
        while (true) {
            long seen = changes();
            for (Provider<T> provider : providers) {
                Optional<BundleUsage.Hold> hold = provider.hold();
                if (hold.isPresent()) {
                    try {
                        T service = provider.service();
                        if (service != null) { // null if the service could not be created; the log contains the cause
                            return call.with(service);
                        }
                    } finally {
                        hold.get().close();
                    }
                }
            }
            if (!started && providers.isEmpty()) {
                started = true;
                if (absence.starting().getAsBoolean()) {
                    continue; // the bundles have started and registered their services
                }
            }
            awaitChange(seen, deadline);
        }
    }

    /**
     * Behaviour of a call without a provider. It runs {@code starting}, which starts bundles on demand and returns
     * whether there were any. Then it waits at most {@code bound}.
     */
    record Absence(Duration bound, BooleanSupplier starting) {}

    @Override
    public boolean isThere() {
        return providers.stream().anyMatch(provider -> !provider.use.isHidden());
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        tracker.close();
        onClose.accept(this);
    }

    private @Nullable Provider<T> addProvider(ServiceReference<T> reference) {
        Bundle owner = reference.getBundle();
        if (owner == null || !reference.isAssignableTo(consumer, type.getName())) {
            // the service is already unregistered, or its type comes from another class loader than the consumer's
            return null;
        }
        Provider<T> provider = new Provider<>(context, reference, uses.of(owner), "call of " + type.getSimpleName());
        synchronized (this) {
            providers = Stream.concat(providers.stream(), Stream.of(provider))
                    .sorted((one, other) -> NewestFirst.order().compare(one.reference, other.reference))
                    .toList();
            changes++;
            notifyAll();
        }
        return provider;
    }

    private void removeProvider(Provider<T> provider) {
        synchronized (this) {
            providers = providers.stream().filter(other -> other != provider).toList();
            changes++;
            notifyAll();
        }
        provider.release();
    }

    private synchronized long changes() {
        return changes;
    }

    /**
     * Waits until a provider is added or removed, so that the counter {@code changes} differs from {@code seen}. Fails
     * at the deadline.
     */
    private synchronized void awaitChange(long seen, long deadline) {
        while (changes == seen && !closed) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw absent("none was registered within " + absence.bound().toMillis() + " ms");
            }
            try {
                wait(left / 1_000_000 + 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw absent("the thread that waited for one was interrupted");
            }
        }
        if (closed) {
            throw absent("closed");
        }
    }

    private HearthException absent(String found) {
        return ErrorCode.NO_PROVIDER.failure("provider of " + filter + ": " + found
                + " (expected: a bundle in bundles/ or deploy/ that offers one); see hearth:bundles");
    }

    /**
     * One registered provider of the service: obtains the service object on first use. The service tracker creates and
     * releases the provider.
     */
    private static final class Provider<T> {
        private final BundleContext context;
        private final ServiceReference<T> reference;
        private final BundleUsage use;
        private final String holder;
        private @Nullable T service; // guarded by this

        Provider(BundleContext context, ServiceReference<T> reference, BundleUsage use, String holder) {
            this.context = context;
            this.reference = reference;
            this.use = use;
            this.holder = holder;
        }

        Optional<BundleUsage.Hold> hold() {
            return use.isHidden() ? Optional.empty() : use.take(holder);
        }

        synchronized @Nullable T service() {
            if (service == null) {
                service = context.getService(reference);
            }
            return service;
        }

        synchronized void release() {
            if (service != null) {
                service = null;
                context.ungetService(reference);
            }
        }
    }
}
