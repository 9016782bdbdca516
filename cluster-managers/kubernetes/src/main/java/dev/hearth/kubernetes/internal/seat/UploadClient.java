package dev.hearth.kubernetes.internal.seat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sends files to the {@link FileReceiver} in the pod of a driver. Blocks; used by one thread. */
public final class UploadClient {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final String proof;
    private final Map<String, Path> files;
    private final Progress progress;

    /** Receives the progress of one file, on the thread that sends it. */
    @FunctionalInterface
    public interface Progress {
        void sent(Path file, long sent, long bytes);
    }

    /** {@code files} are the files by their hashes. */
    public UploadClient(String proof, Map<String, Path> files, Progress progress) {
        this.proof = proof;
        this.files = Map.copyOf(files);
        this.progress = progress;
    }

    /** Sends what the desk lacks over one connection. Returns the hashes of files that arrived damaged. */
    public List<String> send(InputStream from, OutputStream to) throws IOException {
        InputStream in = new BufferedInputStream(from);
        to.write((proof + "\n").getBytes(US_ASCII));
        to.flush();
        List<String> wanted = new ArrayList<>();
        for (String line = FileReceiver.readLine(in); !line.equals("."); line = FileReceiver.readLine(in)) {
            wanted.add(line);
        }
        List<String> damaged = new ArrayList<>();
        for (String line : wanted) {
            String[] parts = line.split(" ", 2);
            Path file = files.get(parts[0]);
            if (file == null || parts.length != 2 || !parts[1].matches("\\d{1,18}")) {
                throw new IOException("'" + line + "' (expected: the hash of a file of the submission)");
            }
            send(file, Long.parseLong(parts[1]), to);
            String answer = FileReceiver.readLine(in);
            if (!answer.equals(parts[0] + " ok")) {
                damaged.add(parts[0]);
            }
        }
        return damaged;
    }

    private void send(Path file, long offset, OutputStream to) throws IOException {
        long bytes = Files.size(file);
        long sent = offset;
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream content = Files.newInputStream(file)) {
            content.skipNBytes(offset);
            for (int read = content.read(buffer); read > 0; read = content.read(buffer)) {
                to.write(buffer, 0, read);
                sent += read;
                progress.sent(file, Math.min(sent, bytes), bytes);
            }
        }
        to.flush();
    }
}
