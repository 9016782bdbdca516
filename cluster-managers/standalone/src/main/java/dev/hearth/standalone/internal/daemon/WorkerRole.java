package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.client.MasterAddresses;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of a worker. Writes its id to standard output, one line, once a master has taken it. */
@Component(service = RoleMain.class, property = RoleMain.ROLE + "=worker")
public final class WorkerRole implements RoleMain {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerRole.class);
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int RESERVED_MEBIBYTES = 1024; // for the system and the worker itself
    private static final long MEBIBYTE = 1024 * 1024;
    private static final int STOP_SECONDS_MAX = 7;

    private final RpcEnvFactory rpcs;
    private final ProcessLauncher processes;
    private final CountDownLatch told = new CountDownLatch(1);

    @Activate
    public WorkerRole(@Reference RpcEnvFactory rpcs, @Reference ProcessLauncher processes) {
        this.rpcs = rpcs;
        this.processes = processes;
    }

    @Override
    public ExitStatus run(RoleLaunch launch) throws Exception {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("--host", "hearth.worker.host");
        keys.put("--port", "hearth.worker.port");
        keys.put("--cores", "hearth.worker.cores");
        keys.put("--memory", "hearth.worker.memory");
        keys.put("--work-dir", "hearth.worker.dir");
        keys.put("--conf", "");
        DaemonArguments arguments = DaemonArguments.parse("worker", launch.arguments(), keys, launch.settings());
        MasterUrl master = master(arguments);
        String host = arguments.settings().find("hearth.worker.host").orElse("127.0.0.1");
        int port = arguments.port("hearth.worker.port", 0);
        try (RpcEnv rpc = rpcs.open(RpcSettings.listening(arguments.settings(), host, port));
                ThreadEventLoop loop = new ThreadEventLoop("worker", failure -> LOG.error("worker", failure))) {
            WorkerSpec spec = spec(arguments, master, rpc.address().orElseThrow(), loop);
            WorkerShell shell = new WorkerShell(spec, loop, rpc, processes);
            shell.start().thenRun(() -> {
                launch.out().println(spec.id());
                launch.out().flush();
            });
            told.await();
            shell.stop()
                    .toCompletableFuture()
                    .orTimeout(STOP_SECONDS_MAX, TimeUnit.SECONDS)
                    .join();
            return ExitStatus.of(ExitCode.OK);
        }
    }

    @Override
    public void stop() {
        told.countDown();
    }

    private static MasterUrl master(DaemonArguments arguments) {
        if (arguments.rest().size() != 1) {
            throw ErrorCode.BAD_ARGUMENT.failure("worker: " + arguments.rest().size()
                    + " master URLs (expected: one, for example hearth://127.0.0.1:7077)");
        }
        MasterUrl master = MasterUrl.parse(arguments.rest().get(0));
        if (!master.scheme().equals("hearth")) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "worker: master URL '" + master + "' (expected: hearth://host:port[,host:port])");
        }
        return master;
    }

    private static WorkerSpec spec(DaemonArguments arguments, MasterUrl master, RpcAddress address, EventLoop loop) {
        SettingsReader in = new SettingsReader(arguments.settings());
        int cores = in.integer("hearth.worker.cores", Runtime.getRuntime().availableProcessors(), 1);
        int memory = in.mebibytes("hearth.worker.memory", machineMebibytes());
        Path directory = Path.of(in.text(
                        "hearth.worker.dir",
                        Path.of(System.getProperty("user.home"), ".hearth", "work")
                                .toString()))
                .toAbsolutePath();
        in.finish();
        String id = "worker-" + STAMP.format(loop.ticker().wall()) + "-" + address.host() + "-" + address.port();
        return new WorkerSpec(id, address, cores, memory, directory, MasterAddresses.parse(master));
    }

    private static int machineMebibytes() {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        long mebibytes = system.getTotalMemorySize() / MEBIBYTE - RESERVED_MEBIBYTES;
        return (int) Math.max(RESERVED_MEBIBYTES, Math.min(mebibytes, Integer.MAX_VALUE));
    }
}
