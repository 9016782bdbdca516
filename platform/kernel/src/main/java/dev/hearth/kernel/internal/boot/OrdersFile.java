package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.role.OrdersSource;
import dev.hearth.spi.settings.PrivateFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Launch orders in a file, or in all files of a directory, as Kubernetes mounts a Secret. Files of a directory are read
 * in the order of their names, and a later file overrides an earlier one; names that begin with a dot are left out. Each
 * file has the form of {@link LaunchOrders#text}, and marks keys for itself alone. Stateless.
 */
record OrdersFile(Path path) implements OrdersSource {
    private static final int FILES_MAX = 64;
    private static final int BYTES_MAX = 16 * 1024 * 1024;

    @Override
    public LaunchOrders read(String role) throws IOException {
        if (!Files.isDirectory(path)) {
            return readFile(path);
        }
        Map<String, String> values = new LinkedHashMap<>();
        Set<String> marked = new LinkedHashSet<>();
        for (Path file : files()) {
            LaunchOrders orders = readFile(file);
            values.putAll(orders.values());
            marked.removeAll(orders.values().keySet());
            marked.addAll(orders.environmentKeys());
        }
        return new LaunchOrders(values, marked);
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                if (!entry.getFileName().toString().startsWith(".")) {
                    files.add(entry);
                }
                if (files.size() > FILES_MAX) {
                    throw problem(path, "more than " + FILES_MAX + " files", "at most that many");
                }
            }
        }
        if (files.isEmpty()) {
            throw problem(path, "an empty directory", "files with orders in it");
        }
        Collections.sort(files);
        return files;
    }

    private static LaunchOrders readFile(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw problem(file, "a directory", "a file with orders");
        }
        if (!PrivateFiles.isPrivate(file)) {
            throw problem(file, "other users have access to it", PrivateFiles.RULE + "; run chmod 600 on it");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(BYTES_MAX + 1);
        } catch (IOException unreadable) {
            throw ErrorCode.START_FAILED.failure(
                    "launch orders " + file + ": cannot be read, " + unreadable + " (expected: a file or a directory"
                            + " of files that this user may read)",
                    unreadable);
        }
        if (bytes.length > BYTES_MAX) {
            throw problem(file, "more than " + BYTES_MAX + " bytes", "at most that many");
        }
        BufferedReader text = new BufferedReader(new StringReader(new String(bytes, StandardCharsets.UTF_8)));
        try {
            LaunchOrders orders = LaunchOrders.read(text);
            if (text.lines().anyMatch(line -> !line.isBlank())) {
                throw problem(file, "text after the line with a single dot", "that line as the last one");
            }
            return orders;
        } catch (IOException truncated) {
            throw problem(
                    file, "no line with a single dot", "one as the last line, which shows that the file is whole");
        }
    }

    private static HearthException problem(Path file, String found, String rule) {
        return ErrorCode.START_FAILED.failure("launch orders " + file + ": " + found + " (expected: " + rule + ")");
    }
}
