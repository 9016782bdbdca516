package dev.hearth.kernel.probe;

import dev.hearth.spi.role.RoleMain;
import java.util.Map;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;

/** Registers the probe for two roles, so that one may start the other. */
public final class ProbeActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) {
        String[] roles = {"probe", "child"};
        context.registerService(
                RoleMain.class, new ProbeRole(context), FrameworkUtil.asDictionary(Map.of(RoleMain.ROLE, roles)));
    }

    @Override
    public void stop(BundleContext context) {
        System.err.println("probe bundle stopped");
    }
}
