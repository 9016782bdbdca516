package dev.hearth.yarn.internal.seat;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.backend.YarnApplication;
import dev.hearth.yarn.internal.cluster.HadoopTokens;
import dev.hearth.yarn.internal.driver.TokenRenewals;
import dev.hearth.yarn.internal.hadoop.LineIdentity;
import dev.hearth.yarn.internal.hadoop.MasterContainer;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.tokens.TokenSet;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tokens of a driver on the cluster: those of its container, or its own by the copy of the keytab. Immutable. */
record SeatTokens(HadoopRuntime runtime, LineIdentity identity, Settings settings, KerberosSettings kerberos) {
    private static final Logger LOG = LoggerFactory.getLogger(SeatTokens.class);
    /** Time for which a driver that was started again waits for tokens of its own. */
    private static final Duration FIRST_BOUND = Duration.ofSeconds(60);

    /**
     * Begins with the tokens of the container. A driver that YARN has started again waits for new ones: those of the
     * submission may have ended.
     */
    void begin(Optional<String> stagingDirectory, EventLoop loop, YarnApplication application) throws Exception {
        Bytes given = MasterContainer.tokens(runtime, identity);
        Configuration hadoop = identity.configuration();
        List<URI> staging = stagingDirectory.map(URI::create).stream().toList();
        Optional<HadoopTokens> source = runtime.call(() -> HadoopTokens.areNeeded(kerberos, hadoop)
                ? Optional.of(new HadoopTokens(
                        runtime, runtime.user(settings, hadoop), hadoop, kerberos, staging, loop.ticker()))
                : Optional.empty());
        if (source.isEmpty()) {
            if (given.size() > 0) {
                application.tokens(given);
            }
            return;
        }
        TokenSet present =
                runtime.call(() -> HadoopTokens.read(given, loop.ticker().wall()));
        CompletionStage<Void> attempted =
                TokenRenewals.begin(source.get(), loop, kerberos.renewal(), application, present);
        if (identity.attempt().getAttemptId() > 1) {
            try {
                attempted.toCompletableFuture().get(FIRST_BOUND.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException late) {
                LOG.warn(
                        "delegation tokens: {} (expected: new ones within {} s); the program begins with those of its"
                                + " submission",
                        Failures.describe(late),
                        FIRST_BOUND.toSeconds());
            }
        }
    }
}
