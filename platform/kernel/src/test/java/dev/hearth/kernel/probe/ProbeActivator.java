package dev.hearth.kernel.probe;

import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.role.OrdersSource;
import dev.hearth.spi.role.RoleMain;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;

/**
 * Registers the probe for its roles, of which one may start the other. With {@code -Dprobe.orders}, it registers sources
 * of launch orders too.
 */
public final class ProbeActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) {
        String[] roles = {"probe", "child", "ordered"};
        context.registerService(
                RoleMain.class, new ProbeRole(context), FrameworkUtil.asDictionary(Map.of(RoleMain.ROLE, roles)));
        switch (System.getProperty("probe.orders", "")) {
            case "one" ->
                source(
                        context,
                        "one",
                        role -> new LaunchOrders(Map.of("do", "echo", "of", "${env:PROBE_NAME}"), Set.of("of")));
            case "two" -> {
                source(context, "one", role -> LaunchOrders.of(Map.of("do", "refuse")));
                source(context, "two", role -> LaunchOrders.of(Map.of("do", "echo", "of", role)));
            }
            case "stuck" ->
                source(context, "stuck", role -> {
                    System.out.println("waiting");
                    new CountDownLatch(1).await();
                    return LaunchOrders.of(Map.of());
                });
            default -> {} // no source
        }
    }

    private static void source(BundleContext context, String name, OrdersSource source) {
        context.registerService(
                OrdersSource.class, source, FrameworkUtil.asDictionary(Map.of(OrdersSource.NAME, name)));
    }

    @Override
    public void stop(BundleContext context) {
        System.err.println("probe bundle stopped");
    }
}
