package dev.hearth.kernel.internal.live;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.live.Live;
import dev.hearth.spi.live.LiveServices;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;

/**
 * Creates a separate {@link LiveServices} for each bundle that uses it, and closes it when that bundle stops. Lives as
 * long as the OSGi framework.
 */
public final class LiveServicesFactory implements ServiceFactory<LiveServices> {
    private final BundleContext context;
    private final BundleUsageRegistry uses;
    private final Duration wait;
    private final Predicate<String> onDemand;

    /**
     * {@code wait} is the maximum time that a call of a replaceable service waits while no provider of the service is
     * registered. {@code onDemand} starts the on-demand bundles that provide a service, by its type, and returns
     * whether there were any.
     */
    public LiveServicesFactory(
            BundleContext context, BundleUsageRegistry uses, Duration wait, Predicate<String> onDemand) {
        this.context = context;
        this.uses = uses;
        this.wait = wait;
        this.onDemand = onDemand;
    }

    @Override
    public LiveServices getService(Bundle consumer, ServiceRegistration<LiveServices> registration) {
        return new OfBundle(consumer);
    }

    @Override
    public void ungetService(Bundle consumer, ServiceRegistration<LiveServices> registration, LiveServices service) {
        if (service instanceof OfBundle ours) {
            ours.close();
        }
    }

    /**
     * The {@link LiveServices} of one bundle: creates its replaceable services, and closes them when the bundle stops.
     * Guarded by its own lock.
     */
    private final class OfBundle implements LiveServices {
        private final Bundle consumer;
        private final Set<LiveService<?>> open = new LinkedHashSet<>();

        OfBundle(Bundle consumer) {
            this.consumer = consumer;
        }

        @Override
        public <T> Live<T> live(Class<T> type, String filter) {
            LiveService<T> live = new LiveService<>(
                    context,
                    consumer,
                    type,
                    filter(type, filter),
                    uses,
                    new LiveService.Absence(wait, () -> onDemand.test(type.getName())),
                    this::forget);
            synchronized (open) {
                open.add(live);
            }
            live.open();
            return live;
        }

        void close() {
            List<LiveService<?>> left;
            synchronized (open) {
                left = List.copyOf(open);
            }
            left.forEach(LiveService::close);
        }

        private void forget(LiveService<?> closed) {
            synchronized (open) {
                open.remove(closed);
            }
        }
    }

    private static Filter filter(Class<?> type, String filter) {
        String text = "(" + Constants.OBJECTCLASS + "=" + type.getName() + ")";
        try {
            return FrameworkUtil.createFilter(filter.isEmpty() ? text : "(&" + text + filter + ")");
        } catch (InvalidSyntaxException e) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "live " + type.getSimpleName() + ": filter '" + filter + "' (expected: as in (name=value)): " + e,
                    e);
        }
    }
}
