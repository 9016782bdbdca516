package dev.hearth.yarn.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.backend.ContextSetup;
import dev.hearth.yarn.internal.backend.YarnApplication;
import dev.hearth.yarn.internal.backend.YarnMetrics;
import dev.hearth.yarn.internal.cluster.ApplicationRequest;
import dev.hearth.yarn.internal.cluster.ClusterFacts;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.HadoopSession;
import dev.hearth.yarn.internal.cluster.HadoopTokens;
import dev.hearth.yarn.internal.cluster.NewApplication;
import dev.hearth.yarn.internal.hadoop.DirectLines;
import dev.hearth.yarn.internal.hadoop.LineIdentity;
import dev.hearth.yarn.internal.hadoop.ProxyBases;
import dev.hearth.yarn.internal.launch.CarriedOrders;
import dev.hearth.yarn.internal.launch.ContainerLaunches;
import dev.hearth.yarn.internal.launch.ProcessLaunches;
import dev.hearth.yarn.internal.launch.ProcessOptions;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerLine;
import dev.hearth.yarn.internal.pages.YarnProxy;
import dev.hearth.yarn.internal.relay.RelayLine;
import dev.hearth.yarn.internal.relay.RelayOrders;
import dev.hearth.yarn.internal.relay.RelayScope;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.settings.AuditSettings;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.submission.ClientFiles;
import dev.hearth.yarn.internal.submission.ResourceCheck;
import dev.hearth.yarn.internal.submission.SubmissionNeeds;
import dev.hearth.yarn.internal.tokens.TokenSet;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opening of an application in client mode: its files are staged, it is submitted, and its line is opened. Steps that block
 * run on the application's thread; everything else on the driver's loop. Used once.
 */
final class ClientOpening {
    private static final Logger LOG = LoggerFactory.getLogger(ClientOpening.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
    private static final Duration ACCEPTED_WITHIN = Duration.ofMinutes(10);

    private final HadoopRuntime runtime;
    private final ProcessLauncher launcher;
    private final Installation installation;
    private final YarnMetrics metrics;
    private final YarnProxy proxy;
    private final Map<String, String> environment;
    private final Supplier<BundleSet> deployed;
    private final ApplicationSpec spec;
    private final Settings settings;
    private final BackendSettings parts;
    private final DriverServices driver;
    private final EventLoop loop;
    private final EndpointUri endpoint;
    private final Map<String, String> executorSettings;
    private final ExecutorService calls = ClientApplication.thread();

    /** Objects of this process that openings share. */
    record Shared(
            HadoopRuntime runtime,
            ProcessLauncher launcher,
            Installation installation,
            YarnMetrics metrics,
            YarnProxy proxy,
            Map<String, String> environment,
            Supplier<BundleSet> deployed) {}

    ClientOpening(Shared shared, ApplicationSpec spec, Settings settings, DriverServices driver) {
        this.runtime = shared.runtime();
        this.launcher = shared.launcher();
        this.installation = shared.installation();
        this.metrics = shared.metrics();
        this.proxy = shared.proxy();
        this.environment = shared.environment();
        this.deployed = shared.deployed();
        this.spec = spec;
        this.settings = settings;
        this.parts = BackendSettings.from(settings);
        this.driver = driver;
        this.loop = driver.loop();
        this.endpoint = driver.driverEndpoint();
        this.executorSettings = driver.executorSettings().values();
    }

    /** Result of the steps that block. */
    private record Submitted(
            HadoopSession session,
            ClientFiles staging,
            String id,
            StagedFiles files,
            TokenSet tokens,
            HadoopTokens source,
            String trackingUrl) {}

    /** Opens the backend on {@code site}. Called on the loop, on which the result completes. */
    CompletionStage<SchedulerBackend> open(HadoopSite site) {
        Optional<Secret> secret =
                executorSettings.getOrDefault("hearth.authenticate", "false").equals("true")
                        ? Optional.of(Secret.random())
                        : Optional.empty();
        return ClientApplication.call(calls, () -> submit(site, secret))
                .whenComplete((submitted, failure) -> {
                    if (failure != null) {
                        calls.shutdown();
                    }
                })
                .thenComposeAsync(
                        submitted -> parts.am().unmanaged()
                                ? master(submitted)
                                        .thenComposeAsync(master -> begin(submitted, Optional.of(master), secret), loop)
                                : begin(submitted, Optional.empty(), secret),
                        loop);
    }

    private Submitted submit(HadoopSite site, Optional<Secret> secret) throws IOException {
        HadoopSession session = HadoopSession.open(runtime, site, settings, parts.staging(), parts.kerberos());
        try {
            NewApplication created = session.cluster().create();
            String id = created.id();
            session.mark(id); // on a thread of this application alone
            ClusterFacts facts = session.cluster().facts(parts.queue().queue());
            List<String> problems =
                    ResourceCheck.problems(SubmissionNeeds.ofClient(settings), created.maximum(), facts);
            session.cluster().constraintProblem(parts.allocation().constraint()).ifPresent(problems::add);
            if (!problems.isEmpty()) {
                throw ErrorCode.BAD_SETTING.failure(String.join("\n", problems));
            }
            ClientFiles staging = new ClientFiles(
                    session, installation, settings, environment, loop.ticker(), warning -> LOG.warn("{}", warning));
            boolean hasRelay = !parts.am().unmanaged();
            ClientFiles.Staged files = stage(staging, id, facts.nodes(), hasRelay);
            HadoopTokens source = session.tokensOf(List.of(), loop.ticker());
            TokenSet tokens = source.make();
            try {
                session.cluster()
                        .submit(request(
                                id,
                                hasRelay
                                        ? Optional.of(relay(session, id, files.relay(), tokens.content(), secret))
                                        : Optional.empty()));
                String url = session.cluster()
                        .report(id)
                        .map(ClusterReport::trackingUrl)
                        .orElse("");
                return new Submitted(session, staging, id, files.executors(), tokens, source, url);
            } catch (IOException | RuntimeException failure) {
                staging.release(id);
                throw failure;
            }
        } catch (IOException | RuntimeException failure) {
            session.close();
            throw failure instanceof IOException unreachable
                    ? ErrorCode.CLUSTER_UNREACHABLE.failure(
                            "YARN: " + Failures.describe(unreachable)
                                    + " (expected: a cluster that takes the application)",
                            unreachable)
                    : (RuntimeException) failure;
        }
    }

    private ClientFiles.Staged stage(ClientFiles staging, String id, int nodes, boolean hasRelay) throws IOException {
        try (BundleSet bundles = hasRelay ? deployed.get() : BundleSet.NONE) {
            return staging.stage(id, nodes, bundles);
        }
    }

    private ApplicationRequest request(String id, Optional<ContainerLaunch> relay) {
        Set<String> tags = new LinkedHashSet<>(parts.queue().tags());
        tags.add("hearth-" + UUID.randomUUID());
        ContainerCapability capability = relay.isPresent()
                ? SubmissionNeeds.ofClient(settings).masterContainer()
                : new ContainerCapability(1, 1, Map.of());
        return new ApplicationRequest(id, spec.name(), tags, parts.queue(), capability, relay, relay.isPresent());
    }

    private ContainerLaunch relay(
            HadoopSession session, String id, StagedFiles files, Bytes tokens, Optional<Secret> secret) {
        AmSettings am = parts.am();
        Settings connecting = Settings.empty().with("the driver", ExecutorOrders.settingsToConnect(executorSettings));
        Optional<String> caller = settings.find(AuditSettings.CALLER.name());
        if (caller.isPresent()) {
            connecting = connecting.with("the driver", AuditSettings.CALLER.name(), caller.get());
        }
        if (secret.isPresent()) {
            connecting = RpcSecurity.withSecret(connecting, secret.get());
        }
        Map<String, String> orders = new RelayOrders(id, endpoint.address(), am.driverTimeout())
                .in(connecting.values(), parts.line(session.hadoopConfiguration(), id, Optional.empty()));
        List<String> options = am.limitsProcessors() ? List.of("-XX:ActiveProcessorCount=" + am.cores()) : List.of();
        return processes(session)
                .launch(
                        "the application master of " + id,
                        "am",
                        am.heapMebibytes(),
                        options,
                        new LaunchOptions(am.javaOptions(), am.libraryPath().orElse(""), am.environment()),
                        CarriedOrders.of(orders),
                        files,
                        tokens);
    }

    private ProcessLaunches processes(HadoopSession session) {
        boolean secure = UserGroupInformation.isSecurityEnabled();
        return new ProcessLaunches(
                launcher,
                new ProcessOptions(
                        parts.am().javaHome(),
                        secure ? Optional.empty() : Optional.of(session.user()),
                        parts.allocation().limitsProcessors(),
                        parts.acls().lists(session.user())));
    }

    /** Waits until the ResourceManager expects the application master in this process. */
    private CompletionStage<LineIdentity> master(Submitted submitted) {
        CompletableFuture<LineIdentity> master = new CompletableFuture<>();
        lookAgain(submitted, loop.ticker().nanos(), master);
        return master.whenComplete((found, failure) -> {
            if (failure != null && !calls.isShutdown()) {
                LOG.debug("{}: given up", submitted.id(), failure);
                giveUp(submitted, Failures.describe(failure));
            }
        });
    }

    /** Looks until {@code master} is known; the beginning was at {@code since}. A queue may be full for minutes. */
    private void lookAgain(Submitted submitted, long since, CompletableFuture<LineIdentity> master) {
        ClientApplication.call(calls, () -> look(submitted))
                .whenComplete((found, failure) -> loop.execute(() -> {
                    if (failure != null) {
                        master.completeExceptionally(Failures.unwrap(failure));
                    } else if (found.isPresent()) {
                        master.complete(found.get());
                    } else if (loop.ticker().nanos() - since > ACCEPTED_WITHIN.toNanos()) {
                        master.completeExceptionally(
                                ErrorCode.SUBMISSION_REFUSED.failure(submitted.id() + ": not accepted within "
                                        + ACCEPTED_WITHIN.toMinutes() + " min (expected: room in its queue)"));
                    } else {
                        loop.schedule(LOOK_AGAIN, () -> lookAgain(submitted, since, master));
                    }
                }));
    }

    /** Ends an application whose master never begins. */
    private void giveUp(Submitted submitted, String why) {
        ClientApplication client =
                new ClientApplication(submitted.session(), submitted.staging(), submitted.id(), loop, calls);
        client.kill(why);
        client.close();
    }

    /** The identity of the application master, once the ResourceManager has a token for it. */
    private Optional<LineIdentity> look(Submitted submitted) throws IOException {
        HadoopSession session = submitted.session();
        String id = submitted.id();
        ClusterReport report = session.cluster()
                .report(id)
                .orElseThrow(() -> new IOException(id + ": not known to the ResourceManager any more"));
        if (report.state().isFinal()) {
            throw ErrorCode.SUBMISSION_REFUSED.failure(id + ": " + report.state() + " before it began: "
                    + report.diagnostics().strip() + " (expected: room for it in queue " + report.queue() + ")");
        }
        Optional<Token<AMRMTokenIdentifier>> token = session.cluster().masterToken(id);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        UserGroupInformation user = UserGroupInformation.createRemoteUser(session.user());
        user.addToken(token.get());
        ApplicationAttemptId attempt = token.get().decodeIdentifier().getApplicationAttemptId();
        return Optional.of(new LineIdentity(attempt, endpoint.address().host(), session.hadoopConfiguration(), user));
    }

    /** Opens the line. */
    private CompletionStage<SchedulerBackend> begin(
            Submitted submitted, Optional<LineIdentity> owner, Optional<Secret> secret) {
        ClientApplication client =
                new ClientApplication(submitted.session(), submitted.staging(), submitted.id(), loop, calls);
        Configuration hadoop = submitted.session().hadoopConfiguration();
        ContainerLine line =
                owner.map(master -> direct(client, master, hadoop)).orElseGet(() -> relayed(client, secret));
        YarnApplication application = new YarnApplication(
                parts.identity(
                        new ApplicationId(submitted.id()), submitted.session().user(), hadoop, false),
                loop,
                line,
                parts.rules(hadoop),
                metrics);
        ContextSetup setup = new ContextSetup(
                new ContainerLaunches(
                        processes(submitted.session()),
                        new ApplicationId(submitted.id()),
                        endpoint,
                        executorSettings,
                        ProfileNeeds.of(settings),
                        submitted.files(),
                        application::tokens),
                ProfileNeeds.of(settings),
                new ApplicationLinks(
                        Optional.of(submitted.trackingUrl()).filter(url -> !url.isEmpty()), Map.of(), Map.of()),
                true);
        TokenRenewals.begin(submitted.source(), loop, parts.kerberos().renewal(), application, submitted.tokens());
        return application.open().handle((registration, failure) -> {
            if (failure != null) {
                line.abandon();
                throw Failures.unwrap(failure) instanceof HearthException known
                        ? known
                        : ErrorCode.INTERNAL.failure(Failures.describe(failure), failure);
            }
            proxy.add(application, () -> ProxyBases.of(hadoop, submitted.id()));
            parts.trackingWithoutPages(parts.line(hadoop, submitted.id(), Optional.empty()))
                    .ifPresent(application::trackingUrl);
            return application.context(driver, setup);
        });
    }

    private ContainerLine direct(ClientApplication client, LineIdentity master, Configuration hadoop) {
        ContainerLine direct = DirectLines.of(master, loop, parts.line(hadoop, client.id(), Optional.empty()));
        return new ClientLine(direct, client, loop, direct::finish);
    }

    private ContainerLine relayed(ClientApplication client, Optional<Secret> secret) {
        RpcScope scope = RelayScope.ofDriver(driver.rpc(), client.id(), secret);
        RelayLine relay = new RelayLine(loop, scope);
        client.watch(parts.report().interval(), relay::over);
        return new ClientLine(
                relay,
                client,
                loop,
                (outcome, words) -> relay.finishKnown(outcome, words)
                        .thenComposeAsync(
                                known -> known
                                        ? CompletableFuture.completedFuture(null)
                                        : client.kill("its application master does not answer; " + words),
                                loop));
    }
}
