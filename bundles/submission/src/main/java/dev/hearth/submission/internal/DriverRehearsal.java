package dev.hearth.submission.internal;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads and initialises the classes that a driver needs, before there is one: runs a job with two tasks in this process,
 * starts the bundle of the cluster manager, and sends a message from one RPC environment to another. Stateless.
 */
final class DriverRehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(DriverRehearsal.class);
    private static final String NAME = "rehearsal";
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Settings LOCAL = Settings.empty().with(NAME, "hearth.master", "local[1]");

    private static final Protocol PROTOCOL = Protocol.named(NAME, MethodHandles.lookup())
            .message(1, Question.class)
            .message(2, Answer.class)
            .build();

    private DriverRehearsal() {}

    record Question(String text) {}

    record Answer(String text) {}

    /** Runs a job without code of a user. */
    static void job(ApplicationLoaders loaders, DriverEngine engine) {
        try (ApplicationLoader code = loaders.open(NAME, List.of(), List.of());
                DriverEngine.Application application = engine.begin(LOCAL, code)) {
            try (HearthContext context = application.contexts().open(new ContextRequest(NAME, Map.of()))) {
                LOG.debug(
                        "rehearsal: counted {}",
                        context.parallelize(List.of(1, 2), 2).count());
            }
            application.end(true);
        }
    }

    /**
     * Prepares the manager of masters with {@code scheme}, and connects two RPC environments with its default settings.
     */
    static void cluster(ClusterManagers managers, RpcEnvFactory rpcs, String scheme) throws Exception {
        MasterUrl master = MasterUrl.parse(scheme + "://" + LOOPBACK + ":1");
        Settings defaults;
        try (PinnedManager manager = managers.pin(master, NAME)) {
            manager.manager().prepare();
            defaults = Settings.empty().with(NAME, manager.manager().defaults(master));
        }
        RpcSettings listening = RpcSettings.listening(defaults, LOOPBACK, 0);
        try (RpcEnv one = rpcs.open(listening);
                RpcEnv other = rpcs.open(listening);
                ThreadEventLoop loop = new ThreadEventLoop(NAME, failure -> LOG.debug("rehearsal", failure))) {
            one.register(
                    NAME,
                    PROTOCOL,
                    loop,
                    Receiver.of(NAME)
                            .answer(Question.class, (question, peer) -> new Answer(question.text()))
                            .build());
            RpcAddress address = one.address().orElseThrow();
            other.connect(address)
                    .thenCompose(peer -> peer.endpoint(NAME, PROTOCOL).ask(new Question(NAME), Answer.class, BOUND))
                    .toCompletableFuture()
                    .get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
