package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.BundleLocations;
import dev.hearth.kernel.internal.inventory.MissingRequirements;
import dev.hearth.kernel.internal.live.BundleUsage;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.kernel.internal.live.HiddenServicesHook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.hooks.service.EventListenerHook;
import org.osgi.framework.hooks.service.FindHook;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs, starts and stops bundles in the OSGi framework, hides their services, and releases the classes of stopped
 * ones. Each installation of a bundle is identified by a number, {@code copy}. Owned by the deployer's event loop.
 */
final class BundleInstallations {
    private static final Logger LOG = LoggerFactory.getLogger(BundleInstallations.class);

    private final BundleContext context;
    private final BundleUsageRegistry uses;
    private final MissingRequirements missing;
    private final Function<List<String>, Optional<String>> needed;
    private final ServiceUsers users = new ServiceUsers();
    private final ClassUnloadMonitor classes;
    private final Map<Integer, Installed> byNumber = new LinkedHashMap<>();
    private boolean hides; // whether the hooks that hide services are registered

    /** {@code needed} starts bundles of bundles/ by their names, and returns the problem if one of them is missing. */
    BundleInstallations(
            BundleContext context,
            BundleUsageRegistry uses,
            MissingRequirements missing,
            Function<List<String>, Optional<String>> needed,
            ClassUnloadMonitor classes) {
        this.context = context;
        this.uses = uses;
        this.missing = missing;
        this.needed = needed;
        context.registerService(ResolverHookFactory.class, new OwnPackagesHook(uses::isHidden), null);
        this.classes = classes;
    }

    /**
     * Registers {@code bundle}, which the framework has already installed, under the installation number {@code copy}.
     */
    void add(int copy, Bundle bundle) {
        byNumber.put(copy, new Installed(bundle));
    }

    /**
     * Installs a bundle from a file, under an OSGi location that contains the installation number {@code copy}. The
     * location is unique, because the framework would otherwise return an older installation.
     */
    void install(int copy, Path file) throws BundleException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            add(copy, context.installBundle(BundleLocations.dropped(copy, file), in));
        }
    }

    /**
     * Installs a bundle of the platform a second time, while its first installation waits until its users are gone. The
     * OSGi location differs, because the framework would otherwise return the first installation.
     */
    void installAgain(int copy, String location) throws BundleException, IOException {
        Path jar = BundleLocations.jar(location).orElseThrow(() -> new IOException(location + ": no file"));
        try (InputStream in = Files.newInputStream(jar)) {
            add(copy, context.installBundle(BundleLocations.again(copy, location), in));
        }
    }

    /**
     * Returns the action that starts the bundles {@code needs} and then the bundle with the installation number {@code
     * copy}. Run it on a separate thread, because activators may hang.
     */
    Callable<?> starting(int copy, List<String> needs) {
        Bundle bundle = bundle(copy);
        return () -> {
            Optional<String> missing = needs.isEmpty() ? Optional.empty() : needed.apply(needs);
            if (missing.isPresent()) {
                throw new NeedMissingException(missing.get());
            }
            bundle.start();
            return bundle;
        };
    }

    /** Returns why installation {@code copy} did not start; {@code failure} is the exception of its start. */
    String problem(int copy, BundleException failure) {
        return missing.explain(bundle(copy), failure);
    }

    void hide(int copy) {
        if (!hides) {
            hides = true; // registered on first use, because these hooks slow down every service look-up
            HiddenServicesHook hook = new HiddenServicesHook(uses);
            context.registerService(
                    new String[] {FindHook.class.getName(), EventListenerHook.class.getName()}, hook, null);
        }
        uses.of(bundle(copy)).hide();
    }

    /**
     * Whether some user needs the bundle until the process ends: a user of the bundle itself, or of another bundle that
     * uses its services.
     */
    boolean isResident(int copy) {
        return uses.of(bundle(copy)).isResident()
                || users.closure(bundle(copy)).stream()
                        .anyMatch(user -> uses.of(user).isResident());
    }

    List<String> holders(int copy) {
        List<String> holders = new ArrayList<>(uses.of(bundle(copy)).holders());
        users.of(bundle(copy))
                .forEach(user -> holders.add("bundle " + user.getSymbolicName() + " " + user.getVersion()));
        return holders;
    }

    /**
     * Makes an installed bundle refuse new users, such as applications, and returns true if it does. A bundle that has
     * users is changed only with {@code byForce}, and never if one of them needs it until the process ends.
     */
    boolean seal(int copy, boolean byForce) {
        Installed installed = byNumber.get(copy);
        Bundle bundle = installed.bundle;
        BundleUsage use = uses.of(bundle);
        boolean free = byForce
                ? !isResident(copy) && use.sealByForce()
                : users.of(bundle).isEmpty() && use.seal();
        if (!free) {
            return false;
        }
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        installed.wiring = wiring;
        if (wiring != null && bundle.getState() == Bundle.ACTIVE) {
            classes.watch(wiring.getClassLoader(), bundle.getSymbolicName() + " " + bundle.getVersion());
        }
        return true;
    }

    /**
     * Returns the action that stops and uninstalls the bundle with the installation number {@code copy}, which
     * {@link #seal} has made refuse new users. Run it on a separate thread, because the bundle's activator may hang.
     */
    Callable<?> stopping(int copy) {
        Bundle bundle = bundle(copy);
        return () -> {
            bundle.uninstall(); // stops it first
            return bundle;
        };
    }

    /**
     * Removes a stopped bundle from the {@link BundleUsageRegistry}, because it was uninstalled. Logs the failure of
     * the stop, if there was one.
     */
    void stopped(int copy, Optional<Throwable> failure) {
        Bundle bundle = bundle(copy);
        failure.ifPresent(thrown -> LOG.warn(
                "deploy: bundle {} {}: its stop failed", bundle.getSymbolicName(), bundle.getVersion(), thrown));
        uses.forget(bundle);
    }

    /**
     * Returns descriptions of the other bundles that still use classes of an uninstalled bundle. {@code copy} is the
     * number of its installation.
     */
    List<String> wiredTo(int copy) {
        Installed installed = byNumber.get(copy);
        List<BundleWire> wires = Optional.ofNullable(installed.wiring)
                .map(wiring -> wiring.getProvidedWires(null))
                .orElse(List.of());
        return wires.stream()
                .map(wire -> wire.getRequirer().getBundle())
                .filter(user -> !user.equals(installed.bundle))
                .map(user -> "bundle " + user.getSymbolicName() + " " + user.getVersion())
                .distinct()
                .toList();
    }

    /**
     * Makes the framework release the classes of an uninstalled bundle (an OSGi refresh), so that they can be unloaded.
     * Runs {@code then} on a thread of the framework afterwards. A second call for the same installation does nothing.
     */
    void refresh(int copy, Runnable then) {
        Installed installed = byNumber.get(copy);
        if (!installed.refreshing) {
            installed.refreshing = true;
            context.getBundle(0)
                    .adapt(FrameworkWiring.class)
                    .refreshBundles(List.of(installed.bundle), event -> then.run());
        }
    }

    void forget(int copy) {
        byNumber.remove(copy);
    }

    private Bundle bundle(int copy) {
        return byNumber.get(copy).bundle;
    }

    private static final class Installed {
        private final Bundle bundle;
        private @Nullable BundleWiring wiring; // saved before the stop, because an uninstalled bundle returns no wiring
        private boolean refreshing;

        Installed(Bundle bundle) {
            this.bundle = bundle;
        }
    }
}
