package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.stream.ContentStores;
import dev.hearth.standalone.internal.contents.ContentSettings;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import java.util.concurrent.CountDownLatch;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a process as master. Prints the master's URL on one line of standard output once the master accepts workers and
 * applications.
 */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=master")
public final class MasterRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");

    private final RpcEnvFactory rpcs;
    private final ContentStores stores;
    private final MasterView view;
    private final MasterSubmissions submissions;
    private final MasterMetrics metrics;
    private final CountDownLatch stopRequested = new CountDownLatch(1);

    @Activate
    public MasterRole(
            @Reference RpcEnvFactory rpcs,
            @Reference ContentStores stores,
            @Reference MasterView view,
            @Reference MasterSubmissions submissions,
            @Reference MasterMetrics metrics) {
        this.metrics = metrics;
        this.stores = stores;
        this.rpcs = rpcs;
        this.view = view;
        this.submissions = submissions;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        DaemonArguments arguments = DaemonArguments.parse("master", launch.arguments(), launch.settings());
        arguments.warnings().forEach(line -> launch.err().println("warning: " + line));
        if (!arguments.rest().isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "master: unexpected argument '" + arguments.rest().get(0) + "' (expected: options only)");
        }
        SettingsReader in = new SettingsReader(arguments.settings());
        String host = in.read(DaemonSettings.MASTER_HOST);
        int port = in.read(DaemonSettings.MASTER_PORT);
        in.finish();
        MasterSettings settings = MasterSettings.from(arguments.settings());
        try (RpcEnv rpc = rpcs.open(RpcSettings.listening(arguments.settings(), host, port));
                ThreadEventLoop loop = new ThreadEventLoop("master", failure -> LOG.error("master", failure));
                ThreadEventLoop disk = new ThreadEventLoop("master-files", failure -> LOG.error("files", failure));
                HeldContents contents = new HeldContents(
                        stores,
                        ContentSettings.masterDirectory(arguments.settings()),
                        ContentSettings.masterLedger(arguments.settings()),
                        loop.ticker())) {
            UploadDesk uploads = new UploadDesk(contents, disk, ContentSettings.masterRetention(arguments.settings()));
            MasterShell master = new MasterShell(settings, loop, rpc, uploads);
            uploads.open(rpc);
            master.start();
            String url = "hearth://" + rpc.address().orElseThrow();
            view.open(MasterUrl.parse(url), master.view());
            submissions.open(MasterUrl.parse(url), master.client());
            metrics.open(master::figures);
            rpc.serve(MasterStatePage.PREFIX, new MasterStatePage(url, master.view(), loop.ticker()));
            LOG.info("master is at {}", url);
            launch.out().println(url);
            launch.out().flush();
            stopRequested.await();
            LOG.info("master ends, as it was ordered to");
            metrics.close();
            submissions.close();
            view.close();
            return ExitStatus.of(ExitCode.OK);
        }
    }

    @Override
    public void stop() {
        stopRequested.countDown();
    }
}
