package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The command {@code bin/hearth archive}: writes an archive of the installation to a file. Stateless. */
public final class ArchiveCommand {
    /** Name of the command, the first argument. */
    public static final String NAME = "archive";

    private static final String ROLES = "--roles";
    private static final List<String> DEFAULT_ROLES = List.of("driver", "executor");

    private ArchiveCommand() {}

    /** Runs the command with its arguments; fails with {@code BAD_ARGUMENT} if they are wrong. */
    public static void run(Home home, List<String> arguments, PrintStream out) {
        List<String> rest = new ArrayList<>(arguments);
        Set<String> roles = new TreeSet<>(DEFAULT_ROLES);
        int flag = rest.indexOf(ROLES);
        if (flag >= 0) {
            if (flag + 1 >= rest.size()) {
                throw bad(ROLES + ": no roles (expected: names of roles with commas between)");
            }
            roles = new TreeSet<>(List.of(rest.get(flag + 1).split(",", -1)));
            rest.subList(flag, flag + 2).clear();
        }
        if (rest.size() != 1 || rest.get(0).startsWith("-") || rest.get(0).isBlank()) {
            throw bad("arguments " + rest + " (expected: the name of one file); see bin/hearth archive --help");
        }
        Path target = path(rest.get(0));
        ContentId content = InstallationArchives.of(home).archive(roles, target);
        out.println(content + "  " + target);
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure("archive: '" + text + "' (expected: the name of a file)", malformed);
        }
    }

    private static RuntimeException bad(String problem) {
        return ErrorCode.BAD_ARGUMENT.failure("archive: " + problem);
    }
}
