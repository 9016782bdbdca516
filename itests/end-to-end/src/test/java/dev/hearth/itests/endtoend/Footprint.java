package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.SystemCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources that a Java process holds at one moment: open descriptors, listening sockets (by inode, never reused),
 * threads, and the live heap after a garbage collection. Linux only; reads /proc and runs jcmd.
 */
record Footprint(int descriptors, Set<String> listeners, int threads, long heapBytes) {
    private static final Path PROC = Path.of("/proc");
    private static final String LISTENING = "0A";
    private static final int STATE_AT = 3; // the columns of /proc/net/tcp
    private static final int INODE_AT = 9;
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

    /** Measures a running process, after a garbage collection in it. */
    static Footprint of(long pid) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        String classes = SystemCommands.run(jcmd.toString(), String.valueOf(pid), "GC.class_histogram");
        Matcher total = TOTAL.matcher(classes);
        if (!total.find()) {
            throw new AssertionError("jcmd of " + pid + ": no line of the total in " + classes);
        }
        Path process = PROC.resolve(String.valueOf(pid));
        return new Footprint(
                list(process.resolve("fd")).size(),
                listeners(pid),
                list(process.resolve("task")).size(),
                Long.parseLong(total.group(1)));
    }

    /** The inodes of a process's listening sockets; empty once it has ended. */
    static Set<String> listeners(long pid) throws IOException {
        Set<String> own = new TreeSet<>();
        for (Path descriptor : list(PROC.resolve(String.valueOf(pid)).resolve("fd"))) {
            Matcher socket = SOCKET.matcher(target(descriptor));
            if (socket.matches()) {
                own.add(socket.group(1));
            }
        }
        own.retainAll(listening());
        return own;
    }

    /** The target of a descriptor; empty once it is closed. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    /** The inodes of all listening sockets of the machine. */
    static Set<String> listening() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            Path file = PROC.resolve("net").resolve(table);
            if (Files.exists(file)) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines.stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > INODE_AT && columns[STATE_AT].equals(LISTENING))
                .map(columns -> columns[INODE_AT])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (NoSuchFileException ended) {
            return List.of();
        }
    }
}
