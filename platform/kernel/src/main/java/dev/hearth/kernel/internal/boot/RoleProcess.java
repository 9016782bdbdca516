package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.application.IsolatedApplications;
import dev.hearth.kernel.internal.manager.RegisteredManagers;
import dev.hearth.kernel.internal.process.ChildProcesses;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;

/** One process in one role, from the command line to the exit status. Used once, by the main thread. */
public final class RoleProcess {
    private static final Duration CHILDREN_GRACE = Duration.ofSeconds(5);
    private static final Duration FRAMEWORK_STOP = Duration.ofSeconds(2);
    /** For children of a role that did not stop; the parent of this process kills two seconds after {@link Ending#BOUND}. */
    private static final Duration CHILDREN_LAST_GRACE = Duration.ofSeconds(1);

    private final Home home;
    private final StandardStreams streams;
    private final StartTrace trace;
    private final ChildProcesses children;
    private volatile Optional<FrameworkCache> cache = Optional.empty(); // read by the hook that ends the process
    private Optional<Kernel> kernel = Optional.empty();

    public RoleProcess(Home home, StandardStreams streams, StartTrace trace) {
        this.home = home;
        this.streams = streams;
        this.trace = trace;
        children =
                new ChildProcesses(home.root(), role -> home.roles().read(role).jvmOptions());
    }

    /** Runs the role named first; the other arguments are the role's. Returns the exit status. */
    public int run(List<String> arguments) throws Exception {
        LifeLine.Mode mode = LifeLine.mode();
        Role role = home.roles().read(arguments.isEmpty() ? "" : arguments.get(0));
        Settings settings = DefaultSettings.read(home.defaultSettings());
        List<Path> jars = BundleFiles.of(role, home.bundles());
        Ending ending = new Ending(Thread.currentThread(), this::giveBackByForce);
        ending.watchSignals();
        LifeLine lifeLine = LifeLine.open(mode, streams.in(), ending::onParentGone);
        try {
            RoleMain work = boot(role, jars);
            Map<String, String> orders = lifeLine.orders();
            RoleLaunch launch = new RoleLaunch(
                    home.root(),
                    arguments.subList(1, arguments.size()),
                    orders,
                    settings,
                    streams.out(),
                    streams.err());
            trace.step("role " + role.name());
            return ending.begin(work) ? work.run(launch).status() : ExitCode.TERMINATED.status();
        } finally {
            ending.finish();
            giveBack();
            ending.complete();
            trace.step("end");
        }
    }

    private RoleMain boot(Role role, List<Path> jars) throws InterruptedException {
        FrameworkCache own =
                FrameworkCache.open(Path.of(System.getProperty("java.io.tmpdir")), System.getProperty("user.name"));
        cache = Optional.of(own);
        trace.step("cache");
        Kernel booted = Kernel.boot(own.directory());
        kernel = Optional.of(booted);
        trace.step("framework");
        BundleContext context = booted.context();
        context.registerService(ProcessLauncher.class, children, null);
        context.registerService(ApplicationLoaders.class, new IsolatedApplications(), null);
        context.registerService(ClusterManagers.class, new RegisteredManagers(context), null);
        booted.start(jars);
        trace.step(jars.size() + " bundles");
        return new RoleSearch(booted, role.name()).find();
    }

    private void giveBack() {
        children.close(CHILDREN_GRACE);
        kernel.ifPresent(booted -> booted.stop(FRAMEWORK_STOP));
        cache.ifPresent(FrameworkCache::close);
    }

    /** What must not survive the process, for when the main thread cannot give it back. */
    private void giveBackByForce() {
        children.close(CHILDREN_LAST_GRACE);
        cache.ifPresent(FrameworkCache::close);
    }
}
