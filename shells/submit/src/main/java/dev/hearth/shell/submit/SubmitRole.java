package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionObserver;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.live.LiveServices;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.submission.api.ApplicationRunner;
import dev.hearth.submission.api.PackageSource;
import dev.hearth.submission.api.SubmissionRequest;
import dev.hearth.submission.api.SubmitArguments;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Runs the role {@code submit}: parses one command, runs it in this process or on a cluster, and returns its exit
 * status.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=submit")
public final class SubmitRole implements RoleMain {
    /** System property by which bin/hearth says whether standard error is a terminal. */
    private static final String LEVEL = "hearth.log.level"; // declared by the kernel, which configures the log

    private static final String TERMINAL_PROPERTY = "hearth.stderr.terminal";

    private final ClusterManagers managers;
    private final RpcEnvFactory rpcs; // creates an RPC environment only for requests to a cluster
    private final ApplicationRunner runner;
    private final FileStoreRegistry stores;
    private final DeclaredSettings declared;
    private final OnDemandBundles reserves;
    private final InstalledRules rules;
    private final Logs logs;
    private final EndSignals signals;
    private final boolean terminal; // whether standard error is one
    private final SubmitStyle style;
    private final SubmissionObservers observers = new SubmissionObservers();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    @Activate
    public SubmitRole(
            @Reference ClusterManagers managers,
            @Reference RpcEnvFactory rpcs,
            @Reference ApplicationLoaders loaders,
            @Reference DriverEngine engine,
            @Reference FileStoreRegistry stores,
            @Reference LiveServices services,
            @Reference DeclaredSettings declared,
            @Reference OnDemandBundles reserves,
            @Reference InstalledRules rules,
            @Reference Logs logs,
            @Reference KernelInfo kernel) {
        this(
                managers,
                rpcs,
                loaders,
                engine,
                stores,
                PackageSource.onDemand(services, reserves),
                declared,
                reserves,
                rules,
                logs,
                kernel.temporary(),
                EndSignals.ofProcess(),
                Boolean.getBoolean(TERMINAL_PROPERTY),
                SubmitStyle.ofProcess());
    }

    /**
     * Creates a role that is ended by {@code signals}. {@code temporary} is for files that it fetches, and {@code
     * terminal} says whether standard error is a terminal.
     */
    SubmitRole(
            ClusterManagers managers,
            RpcEnvFactory rpcs,
            ApplicationLoaders loaders,
            DriverEngine engine,
            FileStoreRegistry stores,
            PackageSource packages,
            DeclaredSettings declared,
            OnDemandBundles reserves,
            InstalledRules rules,
            Logs logs,
            Path temporary,
            EndSignals signals,
            boolean terminal,
            SubmitStyle style) {
        this.style = style;
        this.logs = logs;
        this.signals = signals;
        this.terminal = terminal;
        this.rules = rules;
        this.reserves = reserves;
        this.declared = declared;
        this.managers = managers;
        this.rpcs = rpcs;
        this.stores = stores;
        this.runner = new ApplicationRunner(loaders, engine, stores, packages, temporary);
    }

    /** Service that follows what this process submits. It may be registered later than this role. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    public void addObserver(SubmissionObserver observer) {
        observers.add(observer);
    }

    /** Forgets an observer whose bundle stops. */
    public void removeObserver(SubmissionObserver observer) {
        observers.remove(observer);
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        try {
            ExitStatus status = execute(launch);
            observers.ended(status);
            return status;
        } catch (Exception failure) {
            observers.failed(failure);
            throw failure;
        }
    }

    /** Loads the classes with which the manager of {@code scheme} submits. */
    @Override
    public void prepare(String scheme) throws Exception {
        try (PinnedManager pinned = managers.pin(MasterUrl.parse(scheme + "://127.0.0.1:1"), "archive of classes")) {
            pinned.manager().prepareSubmission();
        }
    }

    private ExitStatus execute(RoleLaunch launch) throws Exception {
        SubmissionRequest request = SubmitArguments.parse(
                launch.arguments(),
                launch.settings(),
                rules,
                settings -> check(settings, launch),
                line -> launch.err().println("warning: " + PrintableText.line(line)));
        boolean verbose = request instanceof SubmissionRequest.Submit submit && submit.verbose();
        if (verbose) {
            logs.setLevel(MonitorSettings.ADDRESS_LOGGER, "DEBUG");
        } else if (terminal && isAnnounced(request)) {
            logs.setLevel(MonitorSettings.ADDRESS_LOGGER, "INFO");
        }
        try {
            return request.accept(new SubmitCommand(
                    launch, managers, rpcs, runner, stores, rules, signals, terminal, style, observers, stopped));
        } catch (HearthException failure) {
            if (stopped.isDone()) {
                return ExitStatus.of(ExitCode.TERMINATED);
            }
            if (verbose) {
                failure.printStackTrace(launch.err());
            }
            throw failure; // the kernel reports this failure and derives the exit status from it
        }
    }

    private void check(Settings settings, RoleLaunch launch) {
        // started first, because bundles that declare settings must run before the settings are checked
        reserves.startFor(settings);
        declared.catalog().check(settings).forEach(line -> launch.err().println("warning: " + line));
        logs.configure(added(settings, launch.settings()));
    }

    /**
     * Whether a user at a terminal expects to see the id of the application and the addresses of its driver: the driver
     * is this process, and no setting gives another level to the log.
     */
    private static boolean isAnnounced(SubmissionRequest request) {
        return request instanceof SubmissionRequest.Submit submit
                && submit.mode() == DeployMode.CLIENT
                && submit.plan().settings().find(LEVEL).isEmpty();
    }

    /** The settings that the command line sets, or sets in another way than {@code installation}. */
    private static Settings added(Settings settings, Settings installation) {
        Settings added = Settings.empty();
        for (String key : settings.keys()) {
            String origin = settings.origin(key).orElse("");
            if (!installation.origin(key).equals(Optional.of(origin))) {
                added = added.with(origin, key, settings.find(key).orElse(""));
            }
        }
        return added;
    }

    @Override
    public void stop() {
        stopped.complete(null);
        runner.stop();
    }
}
