package dev.hearth.yarn.internal.manager;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.cluster.HadoopSession;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.store.StoredContent;
import dev.hearth.yarn.internal.submission.SharedStore;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Runs the tasks of administrators: {@code prepare DIR} puts the installation on the cluster for all users. */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=yarn")
public final class StoreRole implements RoleMain {
    private static final String PREPARE = "prepare";
    private static final String MASTER = "hearth.master";
    private static final String YARN = "yarn";

    private final HadoopRuntime runtime;
    private final Installation installation;
    private final Map<String, String> environment;

    @Activate
    public StoreRole(@Reference HadoopRuntime runtime, @Reference Installation installation) {
        this.runtime = runtime;
        this.installation = installation;
        this.environment = System.getenv();
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        List<String> words = launch.arguments();
        if (words.size() != 2 || !words.get(0).equals(PREPARE)) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "arguments " + words + " (expected: " + PREPARE + " and a directory of the cluster's file system)");
        }
        Settings settings = YarnFormerSettings.resolved(launch.settings())
                .with("arguments", StagingSettings.STORE.name(), words.get(1));
        String master =
                settings.find(MASTER).filter(url -> url.startsWith(YARN)).orElse(YARN);
        HadoopSite site = HadoopSite.of(MasterUrl.parse(master), settings, environment);
        site.requireCluster();
        SettingsReader in = new SettingsReader(settings);
        StagingSettings staging = StagingSettings.read(in);
        KerberosSettings kerberos = KerberosSettings.read(in);
        QueueSettings queue = QueueSettings.read(in);
        in.finish();
        StoredContent stored = runtime.call(() -> {
            try (HadoopSession session = HadoopSession.open(runtime, site, settings, staging, kerberos)) {
                String directory = URI.create(session.storeRoot()).getPath();
                return new SharedStore(session, staging, installation)
                        .prepare(directory, queue.queue(), launch.err()::println);
            }
        });
        launch.err()
                .println("uploaded " + stored.uploaded() + " bytes; users of this installation need this line in"
                        + " conf/hearth-defaults.conf:");
        launch.out().println("hearth.yarn.archive " + stored.address());
        return ExitStatus.of(ExitCode.OK);
    }

    @Override
    public void stop() {
        // what is half written has no name yet, and the next run begins again
    }
}
