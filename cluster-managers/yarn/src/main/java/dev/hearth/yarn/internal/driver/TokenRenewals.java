package dev.hearth.yarn.internal.driver;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.yarn.internal.backend.YarnApplication;
import dev.hearth.yarn.internal.cluster.HadoopTokens;
import dev.hearth.yarn.internal.hadoop.HadoopThreads;
import dev.hearth.yarn.internal.settings.RenewalSettings;
import dev.hearth.yarn.internal.tokens.TokenRenewal;
import dev.hearth.yarn.internal.tokens.TokenSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Begins the renewal of tokens of drivers' applications. Stateless. */
public final class TokenRenewals {
    private static final long IDLE_SECONDS = 1;

    private TokenRenewals() {}

    /**
     * Gives {@code present} to the executors of {@code application}, and renews them until its end, or warns before they end.
     * The result completes after the first attempt to make others; at once on a cluster without tokens.
     */
    public static CompletionStage<Void> begin(
            HadoopTokens source,
            EventLoop loop,
            RenewalSettings settings,
            YarnApplication application,
            TokenSet present) {
        if (!source.areNeeded()) {
            return CompletableFuture.completedFuture(null);
        }
        application.tokens(present.content());
        TokenRenewal renewal = new TokenRenewal(
                loop,
                source,
                settings,
                thread(),
                application::tokens,
                () -> loop.ticker().wall().toEpochMilli());
        application.renewal(renewal);
        if (source.areRenewable()) {
            return renewal.renew(present.valid());
        }
        renewal.hold(present.valid());
        return CompletableFuture.completedFuture(null);
    }

    /** A thread that ends when it is idle. */
    private static Executor thread() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new HadoopThreads("hearth-yarn-tokens"));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }
}
