package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.internal.inventory.JarLocations;
import dev.hearth.kernel.internal.inventory.Missing;
import dev.hearth.kernel.internal.live.BundleUse;
import dev.hearth.kernel.internal.live.HiddenServices;
import dev.hearth.kernel.internal.live.Uses;
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
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.hooks.service.EventListenerHook;
import org.osgi.framework.hooks.service.FindHook;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The copies as bundles of the framework: installs, starts, hides, stops and lets go. Owned by the deployer's loop. */
final class InstalledCopies {
    private static final Logger LOG = LoggerFactory.getLogger(InstalledCopies.class);

    private final BundleContext context;
    private final Uses uses;
    private final Missing missing;
    private final ServiceUsers users = new ServiceUsers();
    private final ClassesWatch classes;
    private final Map<Integer, Installed> byNumber = new LinkedHashMap<>();
    private boolean hides; // hooks are registered

    InstalledCopies(BundleContext context, Uses uses, Missing missing, ClassesWatch classes) {
        this.context = context;
        this.uses = uses;
        this.missing = missing;
        this.classes = classes;
    }

    /** Takes in a bundle that was installed before. */
    void add(int copy, Bundle bundle) {
        byNumber.put(copy, new Installed(bundle));
    }

    /** Installs a file under a location that no other copy has. */
    void install(int copy, Path file) throws BundleException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            add(copy, context.installBundle(JarLocations.dropped(copy, file), in));
        }
    }

    /**
     * Installs a bundle of the platform beside the one that is or was there: under its own location the framework would
     * answer with that one while it drains.
     */
    void installAgain(int copy, String location) throws BundleException, IOException {
        Path jar = JarLocations.jar(location).orElseThrow(() -> new IOException(location + ": no file"));
        try (InputStream in = Files.newInputStream(jar)) {
            add(copy, context.installBundle(JarLocations.again(copy, location), in));
        }
    }

    /** What starts a copy: its activator may hang, so this is done on another thread. */
    Callable<?> starting(int copy) {
        Bundle bundle = bundle(copy);
        return () -> {
            bundle.start();
            return bundle;
        };
    }

    /** Why a copy that did not start did not, in words. */
    String problem(int copy, BundleException failure) {
        return missing.explain(bundle(copy), failure);
    }

    void hide(int copy) {
        if (!hides) {
            hides = true; // not before anything is hidden: the hooks take part in every look-up
            HiddenServices hook = new HiddenServices(uses);
            context.registerService(
                    new String[] {FindHook.class.getName(), EventListenerHook.class.getName()}, hook, null);
        }
        uses.of(bundle(copy)).hide();
    }

    /** Whether the copy does what the process is for, or somebody who does uses its services. */
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

    /** Keeps everybody from a copy that nobody uses any more, or from any copy {@code byForce}; tells whether it did. */
    boolean seal(int copy, boolean byForce) {
        Installed installed = byNumber.get(copy);
        Bundle bundle = installed.bundle;
        BundleUse use = uses.of(bundle);
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

    /** What stops and uninstalls a sealed copy: its activator may hang, so this is done on another thread. */
    Callable<?> stopping(int copy) {
        Bundle bundle = bundle(copy);
        return () -> {
            bundle.uninstall(); // stops it first
            return bundle;
        };
    }

    /** It has stopped, with {@code failure} if not in order. */
    void stopped(int copy, Optional<Throwable> failure) {
        Bundle bundle = bundle(copy);
        failure.ifPresent(thrown ->
                LOG.warn("deploy: {} {}: not stopped in order", bundle.getSymbolicName(), bundle.getVersion(), thrown));
        uses.forget(bundle);
    }

    /** The bundles that still use the classes of a copy that was uninstalled. */
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

    /** Lets the classes of a copy go; {@code then} runs on another thread, and not again when asked twice. */
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
        private @Nullable BundleWiring wiring; // kept once uninstalled, when the bundle no longer knows it
        private boolean refreshing;

        Installed(Bundle bundle) {
            this.bundle = bundle;
        }
    }
}
