package dev.hearth.yarn.internal.submission;

import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmitterEnvironment;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.cluster.ApplicationRequest;
import dev.hearth.yarn.internal.cluster.ClusterFacts;
import dev.hearth.yarn.internal.cluster.ClusterReport;
import dev.hearth.yarn.internal.cluster.NewApplication;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.launch.CarriedOrders;
import dev.hearth.yarn.internal.launch.ProcessLaunches;
import dev.hearth.yarn.internal.launch.ProcessOptions;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.settings.AclSettings;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.store.StagingStore;
import dev.hearth.yarn.internal.store.StoreSweep;
import dev.hearth.yarn.internal.submission.SubmissionTools.Sessions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps of one submission, done with a session that it opens with the first one and closes with the last. */
final class ClusterWork implements SubmissionWork {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWork.class);
    private static final String DRIVER = "driver";
    private static final String HADOOP_CONF = "HADOOP_CONF_DIR";

    private final SubmissionPlan plan;
    private final SubmissionServices services;
    private final SubmissionTools tools;
    private final HadoopSite site;
    private final Identity identity;
    private final StagingSettings staging;
    private final QueueSettings queue;
    private final Consumer<String> said;
    private final LongSupplier clock;

    private Optional<YarnSession> session = Optional.empty();
    private Optional<StagingStore> store = Optional.empty();
    private Optional<ContainerLaunch> launch = Optional.empty();
    private int nodes = 1;

    /** Tag by which the application is found again, and the secret with which its processes know each other. */
    record Identity(String tag, String secret) {
        @Override
        public String toString() {
            return tag;
        }
    }

    ClusterWork(
            SubmissionPlan plan,
            SubmissionServices services,
            SubmissionTools tools,
            HadoopSite site,
            Identity identity,
            Consumer<String> said,
            LongSupplier clock) {
        this.plan = plan;
        this.services = services;
        this.tools = tools;
        this.site = site;
        this.identity = identity;
        this.said = said;
        this.clock = clock;
        SettingsReader in = new SettingsReader(plan.settings());
        this.staging = StagingSettings.read(in);
        this.queue = QueueSettings.read(in);
        in.finish();
    }

    private synchronized YarnSession session() throws IOException {
        if (session.isEmpty()) {
            Sessions sessions = tools.sessions();
            session = Optional.of(sessions.open(site, plan.settings()));
        }
        return session.get();
    }

    private StagingStore store() throws IOException {
        if (store.isEmpty()) {
            store = Optional.of(new StagingStore(
                    session().files(),
                    session().storeRoot(),
                    () -> UUID.randomUUID().toString(),
                    said));
        }
        return store.get();
    }

    @Override
    public Optional<String> find() throws IOException {
        return session().cluster().withTag(identity.tag()).stream()
                .map(ClusterReport::application)
                .findFirst();
    }

    @Override
    public Created create() throws IOException {
        NewApplication created = session().cluster().create();
        ClusterFacts facts = session().cluster().facts(queue.queue());
        nodes = facts.nodes();
        SubmissionNeeds needs = SubmissionNeeds.ofCluster(plan.settings());
        List<String> problems = ResourceCheck.problems(needs, created.maximum(), facts);
        session().cluster().constraintProblem(needs.constraint()).ifPresent(problems::add);
        return new Created(created.id(), problems);
    }

    @Override
    public void stage(String application, boolean afresh) throws IOException {
        session().mark(application);
        if (afresh) {
            store().forget();
        }
        ApplicationStaging files = new ApplicationStaging(session(), staging, store());
        SubmissionPlan all = FilePlan.withOwn(plan, staging);
        Map<Path, ContentId> hashes = services.sendsFiles()
                ? LocalHashes.of(all, services.environment(), services.loop().ticker(), said)
                : Map.of();
        FilePlan planned = FilePlan.of(all, hashes, staging);
        List<ContainerFile> forDriver = new ArrayList<>();
        List<ContainerFile> forExecutors = new ArrayList<>();
        List<ContainerFile> platform = PlatformFile.stage(files, staging, tools.installation(), nodes);
        forDriver.addAll(platform);
        forExecutors.addAll(platform);
        List<FrozenBundle> bundles = bundles(files, forDriver);
        List<ContainerFile> configuration = files.configuration(session().configuration());
        forDriver.addAll(configuration);
        forExecutors.addAll(configuration);
        files.all(planned.files()).forEach((file, staged) -> {
            forDriver.add(staged);
            if (file.forExecutors()) {
                forExecutors.add(staged);
            }
        });
        files.lease(application);
        Optional<ContainerFile> keytab = keytab(files, application);
        keytab.ifPresent(forDriver::add);
        DriverContainer driver = DriverContainer.of(
                planned.plan(),
                new DriverContainer.Origin(
                        new SubmissionId(application),
                        identity.secret(),
                        new StagedFiles(forExecutors),
                        session().files().address(files.directory(application)),
                        bundles,
                        keytab.map(ContainerFile::link)));
        forDriver.add(
                files.own(application, DriverContainer.ORDERS, driver.open().text()));
        launch = Optional.of(launch(driver, new StagedFiles(forDriver), planned.plan()));
        said.accept("uploaded " + files.uploaded() + " bytes for " + application);
    }

    /** Stages the bundles that the driver starts before it asks for its manager. */
    private List<FrozenBundle> bundles(ApplicationStaging files, List<ContainerFile> forDriver) throws IOException {
        try (BundleSet frozen = tools.bundles().get()) {
            for (FrozenBundle bundle : frozen.bundles()) {
                Path jar = frozen.jar(bundle.content())
                        .orElseThrow(() -> ErrorCode.INTERNAL.failure(
                                "bundle " + bundle + ": frozen without its jar (expected: with it)"));
                forDriver.add(files.bundle(jar, bundle.content(), bundle.name()));
            }
            return frozen.bundles();
        }
    }

    /** Stages the keytab, under a random name, for the driver alone. */
    private Optional<ContainerFile> keytab(ApplicationStaging files, String application) throws IOException {
        SettingsReader in = new SettingsReader(plan.settings());
        Optional<String> keytab = HadoopIdentity.read(in).keytab();
        if (keytab.isEmpty()) {
            return Optional.empty();
        }
        byte[] content = Files.readAllBytes(Path.of(keytab.get()));
        return Optional.of(files.own(application, "keytab-" + UUID.randomUUID(), Bytes.owning(content)));
    }

    private ContainerLaunch launch(DriverContainer driver, StagedFiles files, SubmissionPlan placed)
            throws IOException {
        SettingsReader in = new SettingsReader(plan.settings());
        AmSettings am = AmSettings.read(in);
        AclSettings acls = AclSettings.read(in);
        ContainerSize size = ContainerSize.ofDriver(in);
        LaunchOptions given = LaunchOptions.ofDriver(in);
        in.finish();
        Map<String, String> environment = new LinkedHashMap<>();
        environment.putAll(SubmitterEnvironment.withoutMachine(plan.environment()));
        environment.putAll(am.environment());
        boolean isSecure = "kerberos"
                .equalsIgnoreCase(
                        session().hadoop("hadoop.security.authentication").orElse(""));
        ProcessOptions options = new ProcessOptions(
                am.javaHome(),
                isSecure ? Optional.empty() : Optional.of(session().user()),
                am.limitsProcessors(),
                acls.lists(session().user()));
        Set<URI> addresses = new LinkedHashSet<>();
        placed.resources().stream()
                .filter(resource -> !resource.isPath())
                .map(SubmissionResource::address)
                .forEach(addresses::add);
        int cores = SubmissionNeeds.ofCluster(plan.settings()).masterContainer().cores();
        ContainerLaunch made = new ProcessLaunches(tools.launcher(), options)
                .launch(
                        "",
                        DRIVER,
                        size.heapMebibytes(),
                        am.limitsProcessors() ? List.of("-XX:ActiveProcessorCount=" + cores) : List.of(),
                        given.over(environment),
                        new CarriedOrders(Map.of(), driver.secrets()),
                        files,
                        session().tokens(addresses));
        Map<String, String> variables = new LinkedHashMap<>(made.environment());
        variables.put(HADOOP_CONF, "{{PWD}}/" + DriverContainer.CONFIGURATION);
        return new ContainerLaunch(
                made.container(), made.command(), variables, made.files(), made.secrets(), made.tokens(), made.acls());
    }

    @Override
    public void submit(String application) throws IOException {
        session().mark(application);
        SubmissionNeeds needs = SubmissionNeeds.ofCluster(plan.settings());
        Set<String> tags = new LinkedHashSet<>(queue.tags());
        tags.add(identity.tag());
        session()
                .cluster()
                .submit(new ApplicationRequest(
                        application, plan.name(), tags, queue, needs.masterContainer(), launch, false));
    }

    @Override
    public void undo(String application, boolean kill) throws IOException {
        session().mark(application);
        if (kill && session().cluster().report(application).isPresent()) {
            session().cluster().kill(application, "the submission was ended before it was accepted");
        }
        new ApplicationStaging(session(), staging, store()).undo(application);
    }

    @Override
    public Optional<ClusterReport> report(String application) throws IOException {
        return session().cluster().report(application);
    }

    @Override
    public Map<String, String> driverLogs(ClusterReport report) {
        try {
            return session().cluster().driverLogs(report);
        } catch (IOException unknown) { // the next report asks again
            LOG.debug("logs of the driver of {}: not known", report.application(), unknown);
            return Map.of();
        }
    }

    @Override
    public Optional<String> sweep() throws IOException {
        StoreSweep.Result result = new StoreSweep(
                        session().files(),
                        session().storeRoot(),
                        session().stagingRoot(),
                        staging.storeKeep(),
                        application -> session()
                                .cluster()
                                .report(application)
                                .map(report -> report.state().isFinal() ? StoreSweep.Life.ENDED : StoreSweep.Life.LIVE)
                                .orElse(StoreSweep.Life.UNKNOWN))
                .run(clock.getAsLong());
        return result.isNothing()
                ? Optional.empty()
                : Optional.of("left by earlier submissions: " + result.directories() + " directories, "
                        + result.leases() + " leases and " + result.contents() + " contents removed");
    }

    @Override
    public void cleanUp(String application) throws IOException {
        session().mark(application);
        if (!staging.keepsStaging()) {
            new ApplicationStaging(session(), staging, store()).undo(application);
        }
    }

    @Override
    public synchronized void close() {
        session.ifPresent(YarnSession::close);
        session = Optional.empty();
    }
}
