package dev.hearth.kubernetes.internal.seat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives files of the submitter in the pod of a driver, over connections that the API server forwards to the loopback
 * address. One connection is served at a time, by the thread that calls {@link #receive}.
 *
 * <p>Exchange: the submitter sends a line with the proof. The desk answers with a line for each file that it lacks, the
 * hash, a blank, and the number of bytes that it has, and then a line with a dot. The submitter sends the missing bytes in
 * that order. The desk answers with a line for each file, the hash and {@code ok} or {@code damaged}.
 */
public final class FileReceiver {
    /** Port at the loopback address of the pod. */
    public static final int PORT = 7076;

    static final int LINE_MAX = 256;
    private static final Logger LOG = LoggerFactory.getLogger(FileReceiver.class);
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

    private final SeatInstructions instructions;
    private final ServerSocket listening;

    private FileReceiver(SeatInstructions instructions, ServerSocket listening) {
        this.instructions = instructions;
        this.listening = listening;
    }

    /** Opens the desk at {@code port} of the loopback address; 0 stands for any port. */
    public static FileReceiver open(SeatInstructions instructions, int port) throws IOException {
        ServerSocket listening = new ServerSocket();
        listening.setReuseAddress(true);
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new FileReceiver(instructions, listening);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Waits until all files are here. Fails with {@code START_FAILED} if they do not come within {@code bound}. */
    public void receive(Duration bound) throws IOException {
        long end = System.nanoTime() + bound.toNanos();
        try (ServerSocket closed = listening) {
            while (!missing().isEmpty()) {
                long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
                if (left <= 0) {
                    throw late(bound);
                }
                closed.setSoTimeout((int) Math.min(left, SILENCE_MAX.toMillis()));
                try (Socket peer = closed.accept()) {
                    peer.setSoTimeout((int) SILENCE_MAX.toMillis());
                    serve(peer);
                } catch (SocketTimeoutException silent) {
                    LOG.warn(
                            "files of the submission: {} of {} not here yet; the driver waits at most {} s for bin/submit",
                            missing().size(),
                            instructions.uploads().size(),
                            Math.max(
                                    0, Duration.ofNanos(end - System.nanoTime()).toSeconds()));
                } catch (IOException broken) {
                    LOG.info("submitter: connection lost, it may connect again", broken);
                }
            }
        }
    }

    private RuntimeException late(Duration bound) {
        return ErrorCode.START_FAILED.failure(
                "files of the submission: " + missing().size() + " of "
                        + instructions.uploads().size() + " not here after " + bound.toSeconds()
                        + " s (expected: sent by bin/submit, which has to run until then); or put them into the image, as"
                        + " local:/path");
    }

    private List<SeatInstructions.Upload> missing() {
        return instructions.uploads().stream()
                .filter(upload -> !Files.exists(Path.of(upload.path())))
                .toList();
    }

    private void serve(Socket peer) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(peer.getInputStream(), BUFFER_BYTES));
        OutputStream out = peer.getOutputStream();
        String proof = readLine(in);
        if (!MessageDigest.isEqual(
                proof.getBytes(US_ASCII), instructions.proof().getBytes(US_ASCII))) {
            LOG.warn("upload refused: another proof (expected: that of the submission)");
            return;
        }
        List<SeatInstructions.Upload> missing = missing();
        for (SeatInstructions.Upload upload : missing) {
            out.write((upload.sha256() + " " + received(upload) + "\n").getBytes(US_ASCII));
        }
        out.write(".\n".getBytes(US_ASCII));
        out.flush();
        for (SeatInstructions.Upload upload : missing) {
            boolean whole = receive(upload, in);
            out.write((upload.sha256() + (whole ? " ok\n" : " damaged\n")).getBytes(US_ASCII));
            out.flush();
        }
    }

    private static long received(SeatInstructions.Upload upload) throws IOException {
        Path part = part(upload);
        return Files.exists(part) ? Math.min(Files.size(part), upload.bytes()) : 0;
    }

    private static boolean receive(SeatInstructions.Upload upload, InputStream in) throws IOException {
        Path target = Path.of(upload.path());
        Files.createDirectories(target.getParent());
        Path part = part(upload);
        long left = upload.bytes() - received(upload);
        byte[] buffer = new byte[BUFFER_BYTES];
        try (OutputStream file = Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (left > 0) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new IOException(
                            "the connection ended, " + left + " bytes before the end of " + target.getFileName());
                }
                file.write(buffer, 0, read);
                left -= read;
            }
        }
        if (!ContentId.of(part).sha256().equals(upload.sha256())) {
            LOG.warn("file {}: damaged on the way; it is sent again", target.getFileName());
            Files.delete(part);
            return false;
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        return true;
    }

    private static Path part(SeatInstructions.Upload upload) {
        Path target = Path.of(upload.path());
        return target.resolveSibling(target.getFileName() + ".part");
    }

    /** Reads a line of at most {@link #LINE_MAX} characters. */
    static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() == LINE_MAX) {
                throw new IOException("no line (expected: at most " + LINE_MAX + " characters and a line break)");
            }
            line.append((char) next);
        }
        return line.toString();
    }
}
