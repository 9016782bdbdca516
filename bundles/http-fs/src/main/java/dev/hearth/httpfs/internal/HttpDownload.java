package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/**
 * Performs one {@link HttpTransfer} into a file, the part. One thread calls {@link #run}, once; any thread may call
 * {@link #close}, which fails the transfer within moments.
 */
final class HttpDownload implements TransferStep.Handler, AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final HttpAddress address;
    private final PartFile part;
    private final HttpTransfer transfer;
    private final Ticker ticker;
    private final FileConnection connection;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Bounds of waiting. {@code silence} is the maximum time without a byte. Immutable. */
    record Bounds(Duration connect, Duration silence) {
        static final Bounds DEFAULTS = new Bounds(Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    HttpDownload(HttpAddress address, PartFile part, HttpTransfer transfer, Bounds bounds, Ticker ticker) {
        this.address = address;
        this.part = part;
        this.transfer = transfer;
        this.ticker = ticker;
        this.connection = new FileConnection(bounds.connect(), bounds.silence());
    }

    /** Fails with {@link StoreException} when the transfer does, when it is closed, or if the part cannot be written. */
    TransferStep.Result run() throws IOException {
        try {
            TransferStep step = transfer.proceed(ticker.nanos());
            while (!(step instanceof TransferStep.End)) {
                step = step.accept(this);
            }
            return ((TransferStep.End) step).result();
        } finally {
            connection.close();
        }
    }

    @Override
    public TransferStep onAsk(TransferStep.Ask step) throws IOException {
        try {
            return transfer.answered(connection.ask(address, step.headers()), ticker.nanos());
        } catch (StoreException refused) {
            throw refused;
        } catch (UnknownHostException unknown) {
            throw unknown(unknown);
        } catch (ConnectException refused) {
            Optional<String> proxy = FileConnection.proxy(address.target());
            return broke(
                    proxy.isEmpty()
                            ? refused
                            : new IOException(
                                    refused.getMessage() + " by the proxy " + proxy.get() + " of http.proxyHost",
                                    refused));
        } catch (SSLException untrusted) {
            throw new StoreException(
                    "no trusted connection, " + untrusted.getMessage(),
                    "name a trust store by -Djavax.net.ssl.trustStore",
                    untrusted);
        } catch (IOException failure) {
            return broke(failure);
        }
    }

    private StoreException unknown(UnknownHostException failure) {
        String proxy = FileConnection.proxy(address.target()).orElse("");
        return proxy.isEmpty()
                ? new StoreException(
                        "no such server as " + address.target().getHost(), "check the name of the server", failure)
                : new StoreException(
                        "no such server as " + address.target().getHost() + ", or as the proxy " + proxy,
                        "check both names, and http.proxyHost",
                        failure);
    }

    @Override
    public TransferStep onReceive(TransferStep.Receive step) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (RandomAccessFile out = part.open(step.at(), transfer.validator())) {
            while (true) {
                int read;
                try {
                    read = connection.read(buffer);
                } catch (IOException failure) {
                    return broke(failure);
                }
                if (read < 0) {
                    return transfer.bodyEnded(ticker.nanos());
                }
                try {
                    out.write(buffer, 0, read);
                } catch (IOException full) {
                    throw part.unwritable(full);
                }
                Optional<TransferStep> ended = transfer.received(read, ticker.nanos());
                if (ended.isPresent()) {
                    return ended.get();
                }
            }
        }
    }

    private TransferStep broke(IOException failure) throws StoreException {
        requireOpen();
        String why = failure instanceof SocketTimeoutException
                ? "its server was silent for too long"
                : failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return transfer.broke(why, ticker.nanos());
    }

    private void requireOpen() throws StoreException {
        if (closed.getCount() == 0) {
            throw new StoreException("the transfer was stopped", "submit again");
        }
    }

    @Override
    public TransferStep onPause(TransferStep.Pause step) throws IOException {
        connection.release();
        try {
            if (closed.await(step.millis(), TimeUnit.MILLISECONDS)) {
                requireOpen();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            InterruptedIOException ended = new InterruptedIOException("interrupted");
            ended.initCause(interrupted);
            throw ended;
        }
        return transfer.proceed(ticker.nanos());
    }

    @Override
    public TransferStep onCheck(TransferStep.Check step) throws IOException {
        return transfer.checked(
                address.content().isPresent() ? Optional.of(ContentId.of(part.file())) : Optional.empty());
    }

    @Override
    public TransferStep onFail(TransferStep.Fail step) throws IOException {
        if (!step.resumable()) {
            part.delete();
        }
        throw step.failure();
    }

    @Override
    public void close() {
        closed.countDown();
        connection.close();
    }
}
