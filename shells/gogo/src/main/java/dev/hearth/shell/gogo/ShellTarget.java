package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.command.ClusterAccess;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.IdSyntax;
import dev.hearth.spi.net.RpcAddress;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;

/**
 * Process in which a shell runs its commands: the one at an {@code address}, or the driver of the application or
 * submission {@code id}, which the {@code master} knows. Without a master, that of the setting {@code hearth.master} is
 * asked. Immutable.
 */
record ShellTarget(Optional<RpcAddress> address, String id, Optional<String> master) {
    private static final Pattern ADDRESS = Pattern.compile(".*:\\d*");
    private static final String SCHEME_END = "://";
    private static final String SCHEME_DEFAULT = "hearth" + SCHEME_END;
    private static final Pattern STANDALONE = Pattern.compile("(hearth|spark)://");

    /**
     * Parses the value of {@code --to}; {@code master} is that of {@code --master}. The URL of a standalone master, as the
     * master prints it, stands for its address.
     */
    static ShellTarget parse(String given, Optional<String> master) {
        Matcher url = STANDALONE.matcher(given);
        String text = url.lookingAt() ? given.substring(url.end()) : given;
        int at = text.indexOf('@');
        Optional<RpcAddress> address = at < 0 ? RpcAddress.parse(text) : Optional.empty();
        if (address.isPresent() && master.isPresent()) {
            throw ErrorCode.BAD_ARGUMENT.failure("--master '" + master.get() + "' with --to '" + text
                    + "' (expected: --to with the id of an application or driver, which a master knows)");
        }
        if (address.isPresent()) {
            return new ShellTarget(address, "", master);
        }
        String id = at < 0 ? text : text.substring(0, at);
        Optional<String> named = at < 0 ? master : Optional.of(url(text.substring(at + 1)));
        boolean isId = !ADDRESS.matcher(id).matches();
        try {
            IdSyntax.require("id", id);
        } catch (IllegalArgumentException malformed) {
            isId = false;
        }
        if (!isId || (at >= 0 && master.isPresent())) {
            throw ErrorCode.BAD_ARGUMENT.failure("--to '" + text + "' (expected: HOST:PORT of a running kernel, for"
                    + " example 127.0.0.1:7077, or the id of an application or driver, with its master behind @ or after"
                    + " --master)");
        }
        return new ShellTarget(Optional.empty(), id, named);
    }

    /** The URL of a master; a text without a scheme is the address of a standalone master. */
    private static String url(String text) {
        return text.contains(SCHEME_END) ? text : SCHEME_DEFAULT + text;
    }

    /** Returns the address of the process. Asks the master for that of a driver, and waits for the answer. */
    RpcAddress resolve(ClusterAccess clusters, CommandProcessor processor) {
        if (address.isPresent()) {
            return address.get();
        }
        try (CommandSession session = processor.createSession(
                InputStream.nullInputStream(), OutputStream.nullOutputStream(), OutputStream.nullOutputStream())) {
            return clusters.shell(session, id, master);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ErrorCode.COMMAND_FAILED.failure(
                    "--to " + id + ": interrupted (expected: no interrupt before the master has answered)", stopped);
        }
    }

    /** Name of the process in prompts and messages. */
    @Override
    public String toString() {
        return address.map(RpcAddress::toString).orElse(id);
    }
}
