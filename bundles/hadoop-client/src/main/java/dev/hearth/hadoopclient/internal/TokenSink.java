package dev.hearth.hadoopclient.internal;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.application.CredentialSink;
import dev.hearth.spi.net.Bytes;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds delegation tokens, in the format of Hadoop's token files, to the login of this process. The latest of each
 * service counts. Thread-safe; its thread lives as long as there are tokens to add.
 */
public final class TokenSink implements CredentialSink {
    static final String KIND = "hadoop";
    private static final Logger LOG = LoggerFactory.getLogger(TokenSink.class);

    private final HadoopRuntime hadoop;
    private final ReceivedTokens received;
    private final ExecutorService thread;

    public TokenSink(HadoopRuntime hadoop, ReceivedTokens received) {
        this.received = received;
        this.hadoop = hadoop;
        this.thread = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(null, task, "hearth-hadoop-tokens", 0, false);
            made.setDaemon(true);
            return made;
        });
    }

    @Override
    public void accept(String kind, Bytes content) {
        received.set(content);
        thread.execute(this::add);
    }

    private void add() {
        try {
            int tokens = hadoop.call(received::add);
            LOG.info("delegation tokens: {} received", tokens);
        } catch (Exception failure) {
            LOG.error(
                    "delegation tokens: not added; access to secured file systems fails once the earlier ones expire",
                    failure);
        }
    }

    void stop() {
        thread.shutdownNow();
    }
}
