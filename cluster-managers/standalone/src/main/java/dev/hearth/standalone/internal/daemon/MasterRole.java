package dev.hearth.standalone.internal.daemon;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.Candidate;
import dev.hearth.spi.ledger.FactLogs;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.stream.ContentStores;
import dev.hearth.standalone.internal.contents.ContentSettings;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.UploadDesk;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
    private final List<FactLogs> logs;
    private final CompletableFuture<Void> stopRequested = new CompletableFuture<>();

    @Activate
    public MasterRole(
            @Reference RpcEnvFactory rpcs,
            @Reference ContentStores stores,
            @Reference MasterView view,
            @Reference MasterSubmissions submissions,
            @Reference MasterMetrics metrics,
            @Reference List<FactLogs> logs) {
        this.metrics = metrics;
        this.logs = List.copyOf(logs);
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
        RecoveryMode recovery = RecoveryMode.of(arguments.settings(), logs);
        recovery.warning().ifPresent(line -> launch.err().println("warning: " + line));
        try (RpcEnv rpc = rpcs.open(RpcSettings.listening(arguments.settings(), host, port));
                ThreadEventLoop loop = new ThreadEventLoop("master", failure -> LOG.error("master", failure));
                ThreadEventLoop disk = new ThreadEventLoop("master-files", failure -> LOG.error("files", failure));
                HeldContents contents = new HeldContents(
                        stores,
                        ContentSettings.masterDirectory(arguments.settings()),
                        ContentSettings.masterLedger(arguments.settings()),
                        loop.ticker())) {
            UploadDesk uploads = new UploadDesk(contents, disk, ContentSettings.masterRetention(arguments.settings()));
            uploads.open(rpc);
            String address = rpc.address().orElseThrow().toString();
            String url = "hearth://" + address;
            MasterSeat seat = new MasterSeat(settings, loop, rpc, uploads, address, (state, seen, shell) -> {
                view.open(MasterUrl.parse(url), seen);
                if (shell == null) {
                    metrics.close();
                    submissions.refuse(MasterUrl.parse(url), state);
                } else {
                    submissions.open(MasterUrl.parse(url), shell.client());
                    metrics.open(shell::figures, shell::applicationFigures, loop.ticker());
                }
            });
            String scheme = HttpAccess.from(arguments.settings()).scheme();
            rpc.serve(
                    MasterStatePage.PREFIX,
                    new MasterStatePage(
                            url, scheme, view, loop.ticker(), () -> seat.state().name()));
            rpc.serve(DecommissionPage.PREFIX, DecommissionPage.of(view, arguments.settings()));
            rpc.serve(MetricsPage.PREFIX, MetricsPage.ofMaster(metrics));
            KillPage.of(view, submissions, arguments.settings()).forEach(rpc::serve);
            stand(recovery, new Candidate(address, arguments.settings()), seat, launch);
            return ExitStatus.of(ExitCode.OK);
        }
    }

    /** Stands for leadership until the process is to stop. */
    private void stand(RecoveryMode recovery, Candidate self, MasterSeat seat, RoleLaunch launch) throws Exception {
        try (Candidacy candidacy = recovery.stand(self, seat)) {
            LOG.debug("master stands by {}", candidacy);
            seat.decided().get();
            String url = "hearth://" + self.name();
            LOG.info("master is at {}, {}", url, seat.state());
            launch.out().println(url);
            launch.out().flush();
            CompletableFuture.anyOf(stopRequested, seat.failed()).get();
            LOG.info("master ends, as it was ordered to");
            metrics.close();
            submissions.close();
            view.close();
        } catch (ExecutionException failure) {
            throw Failures.unwrap(failure) instanceof HearthException why ? why : failure;
        }
    }

    @Override
    public void stop() {
        stopRequested.complete(null);
    }
}
