package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.process.ChildProcesses;
import dev.hearth.spi.role.OrdersSource;
import dev.hearth.spi.time.Ticker;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/** Gives a process its launch orders from the source that {@link OrdersChoice} names. Used once, by the main thread. */
final class OrdersSources {
    private final BundleContext context;
    private final OnDemandBundleStarter reserves;
    private final OrdersSource parent;
    private final Map<String, String> environment;

    /** {@code parent} reads the orders that a parent process writes. */
    OrdersSources(
            BundleContext context,
            OnDemandBundleStarter reserves,
            OrdersSource parent,
            Map<String, String> environment) {
        this.context = context;
        this.reserves = reserves;
        this.parent = parent;
        this.environment = environment;
    }

    /**
     * Begins to read the orders of a process in the role {@code role}. The bundles of the role must have started.
     */
    OrdersReader open(OrdersChoice choice, String role) {
        OrdersReader reader = new OrdersReader(
                role,
                subject(choice),
                name -> Optional.ofNullable(environment.get(name)),
                prestarted().isPresent() ? OrdersReader.UNBOUNDED : OrdersReader.BOUND,
                Ticker.system());
        switch (choice.kind()) {
            case NONE -> throw new IllegalStateException("role " + role + ": takes no orders (expected: orders)");
            case PARENT -> reader.begin(parent);
            case FILE -> reader.begin(new OrdersFile(Path.of(choice.name())));
            case SERVICE -> await(choice.name(), reader);
        }
        return reader;
    }

    /**
     * The scheme of the masters of the cluster, if this process was started before it was needed. Its parent ends it, or
     * sends orders.
     */
    static Optional<String> prestarted() {
        return Optional.ofNullable(System.getProperty(ChildProcesses.PRESTARTED));
    }

    private static String subject(OrdersChoice choice) {
        String orders = "start parameters (orders) ";
        return switch (choice.kind()) {
            case NONE -> orders;
            case PARENT -> orders + "of the parent process, on standard input";
            case FILE -> orders + "in " + choice.name();
            case SERVICE ->
                orders + "of a service " + OrdersSource.class.getSimpleName()
                        + (choice.name().isEmpty() ? "" : " with " + OrdersSource.NAME + "=" + choice.name());
        };
    }

    private void await(String name, OrdersReader reader) {
        reserves.startForService(OrdersSource.class.getName());
        String type = "(objectClass=" + OrdersSource.class.getName() + ")";
        try {
            String filter = name.isEmpty() ? type : "(&" + type + "(" + OrdersSource.NAME + "=" + name + "))";
            Collection<ServiceReference<OrdersSource>> found = context.getServiceReferences(OrdersSource.class, filter);
            if (found.size() > 1) {
                reader.fail("source of launch orders: " + found + " (expected: one of them); name it by -D"
                        + OrdersChoice.PROPERTY + "=service:NAME");
                return;
            }
            // the open tracker holds the service until the framework stops
            new ServiceTracker<OrdersSource, OrdersSource>(context, context.createFilter(filter), null) {
                @Override
                public @Nullable OrdersSource addingService(ServiceReference<OrdersSource> reference) {
                    OrdersSource source = super.addingService(reference);
                    if (source != null) {
                        reader.begin(source);
                    }
                    return source;
                }
            }.open();
        } catch (InvalidSyntaxException malformed) {
            reader.fail("source of launch orders: '" + name + "' (expected: letters, digits and '-')");
        }
    }
}
