package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import dev.hearth.yarn.internal.cluster.YarnSession;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.store.StagingStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Files of executors whose driver is on this machine: the platform, and what the settings name. Executors take all other
 * jars and bundles from the driver. Blocks; used once.
 */
public final class ClientFiles {
    /** Bundles of which a relay consists. */
    private static final Set<String> RELAYS = Set.of("hearth-yarn", "hearth-hadoop-client");

    private final YarnSession session;
    private final Installation installation;
    private final Settings settings;
    private final Map<String, String> environment;
    private final Ticker ticker;
    private final Consumer<String> warnings;

    /** Files of an application with {@code settings}, in a process with the variables {@code environment}. */
    public ClientFiles(
            YarnSession session,
            Installation installation,
            Settings settings,
            Map<String, String> environment,
            Ticker ticker,
            Consumer<String> warnings) {
        this.session = session;
        this.installation = installation;
        this.settings = settings;
        this.environment = environment;
        this.ticker = ticker;
        this.warnings = warnings;
    }

    /** Files of an application's executors, and those of its relay. */
    public record Staged(StagedFiles executors, StagedFiles relay) {}

    /**
     * Stages the files for {@code application} on a cluster of {@code nodes} nodes, with the configuration of Hadoop. A relay
     * gets those of {@code deployed} that it consists of: it has to be of the version of this driver.
     */
    public Staged stage(String application, int nodes, BundleSet deployed) throws IOException {
        SettingsReader in = new SettingsReader(settings);
        StagingSettings staging = StagingSettings.read(in);
        in.finish();
        ApplicationStaging files = new ApplicationStaging(session, staging, store());
        SubmissionPlan plan = FilePlan.withOwn(ofSettings(in), staging);
        Map<Path, ContentId> hashes = LocalHashes.of(plan, environment, ticker, warnings);
        List<ContainerFile> staged = new ArrayList<>();
        staged.addAll(PlatformFile.stage(files, staging, installation, nodes));
        List<PlannedFile> planned = FilePlan.of(plan, hashes, staging).files().stream()
                .filter(PlannedFile::forExecutors)
                .toList();
        staged.addAll(files.all(planned).values());
        staged.addAll(files.configuration(session.configuration()));
        List<ContainerFile> ofRelay = new ArrayList<>(staged);
        for (FrozenBundle bundle : relays(deployed)) {
            Optional<Path> jar = deployed.jar(bundle.content());
            if (jar.isPresent()) {
                ofRelay.add(files.sent(jar.get(), bundle));
            }
        }
        files.lease(application);
        return new Staged(new StagedFiles(staged), new StagedFiles(ofRelay));
    }

    /** Those of which relays consist; of several versions in use the one that was deployed last. */
    private static Collection<FrozenBundle> relays(BundleSet deployed) {
        Map<String, FrozenBundle> byName = new LinkedHashMap<>();
        for (FrozenBundle bundle : deployed.bundles()) {
            if (RELAYS.contains(bundle.name())) {
                byName.put(bundle.name(), bundle);
            }
        }
        return byName.values();
    }

    /** Gives back what only {@code application} uses. */
    public void release(String application) throws IOException {
        store().release(application);
        session.files().remove(session.stagingRoot() + "/" + application);
    }

    private StagingStore store() {
        return new StagingStore(
                session.files(), session.storeRoot(), () -> UUID.randomUUID().toString(), warnings);
    }

    private SubmissionPlan ofSettings(SettingsReader in) {
        SubmissionPlan.Builder plan =
                SubmissionPlan.builder("files of executors", "").settings(settings);
        add(plan, Kind.JAR, in, ApplicationSettings.JARS);
        add(plan, Kind.FILE, in, ApplicationSettings.FILES);
        add(plan, Kind.ARCHIVE, in, ApplicationSettings.ARCHIVES);
        return plan.build();
    }

    private static void add(SubmissionPlan.Builder plan, Kind kind, SettingsReader in, SettingKey<List<String>> key) {
        for (String address : in.read(key)) {
            boolean isUri = address.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*");
            plan.add(kind, isUri ? address : Path.of(address).toAbsolutePath().toString());
        }
    }
}
