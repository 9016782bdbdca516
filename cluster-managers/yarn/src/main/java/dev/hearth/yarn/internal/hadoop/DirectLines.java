package dev.hearth.yarn.internal.hadoop;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.yarn.internal.line.FinalOutcome;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.NMTokenCache;

/** Makes lines to a ResourceManager. Stateless. */
public final class DirectLines {
    private static final long IDLE_SECONDS = 30;

    private DirectLines() {}

    /** A line of the attempt {@code identity}, owned by {@code loop}. */
    public static DirectLine of(LineIdentity identity, EventLoop loop, LineSettings settings) {
        NMTokenCache tokens = new NMTokenCache();
        KnownContainers containers = new KnownContainers();
        ExecutorService lookups = pool(1, "hearth-yarn-racks");
        KnownRacks racks = new KnownRacks(KnownRacks.mapping(identity.configuration()), lookups);
        return new DirectLine(
                loop,
                new AmRmCalls(identity, racks, containers, tokens),
                new NmCalls(identity, containers, tokens),
                settings,
                new HadoopThreads("hearth-yarn-line"),
                pool(settings.startThreads(), "hearth-yarn-start"));
    }

    /**
     * Ends the application of {@code identity}, whose master has registered and is gone; it then leads to {@code history}.
     * Blocks.
     */
    public static void end(LineIdentity identity, FinalOutcome outcome, String words, String history)
            throws IOException, InterruptedException {
        AMRMClient<AMRMClient.ContainerRequest> client = AMRMClient.createAMRMClient();
        client.init(identity.toManager());
        identity.user().doAs((PrivilegedExceptionAction<FinalOutcome>) () -> {
            client.start();
            client.unregisterApplicationMaster(
                    HadoopRecords.status(outcome),
                    FinalWords.cut(words, FinalWords.CHARACTERS_MAX),
                    HadoopRecords.link(history));
            client.stop();
            return outcome;
        });
    }

    /** A pool whose threads end when they are idle. */
    private static ExecutorService pool(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new HadoopThreads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
