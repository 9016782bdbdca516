package dev.hearth.kernel.dropped;

import java.util.Map;
import java.util.function.Supplier;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;

/** Activator that registers its bundle's version as a {@link Supplier}, which fails once the bundle has stopped. */
public final class VersionActivator implements BundleActivator {
    private volatile boolean stopped;

    @Override
    public void start(BundleContext context) {
        String version = context.getBundle().getVersion().toString();
        Supplier<String> answer = () -> answer(version);
        context.registerService(Supplier.class, answer, FrameworkUtil.asDictionary(Map.of("hearth.test", "version")));
    }

    private String answer(String version) {
        for (int look = 0; look < 1_000; look++) {
            if (stopped) {
                throw new IllegalStateException("version " + version + " is stopped");
            }
            Thread.onSpinWait();
        }
        return version;
    }

    @Override
    public void stop(BundleContext context) {
        stopped = true;
    }
}
