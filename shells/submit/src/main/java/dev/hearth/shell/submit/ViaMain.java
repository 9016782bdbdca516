package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import dev.hearth.spi.time.Pauses;
import dev.hearth.spi.time.Ticker;
import dev.hearth.submission.api.SubmissionRequest;
import dev.hearth.submission.api.SubmitArguments;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Main class of {@code bin/submit --via HOST:PORT}. It needs no OSGi framework, no message system and no log: a JVM with
 * these classes alone starts in a quarter of the time of bin/submit.
 */
public final class ViaMain {
    private static final String ORIGIN = "--via";
    private static final String SPARK_DEFAULTS = "hearth.conf.sparkDefaults";
    private static final String TERMINAL = "hearth.stderr.terminal";

    private ViaMain() {}

    /** Runs the command line and ends the process with the exit status of bin/submit. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        int status = run(List.of(arguments), out, err);
        if (out.checkError() && status == 0) {
            err.println("error: standard output: cannot be written (expected: an open file or pipe with room)");
            status = ExitCode.FAILED.status();
        }
        System.exit(status);
    }

    private static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            Path home = Path.of(System.getProperty("hearth.home", "."));
            InstalledRules rules = rules(home.resolve("lib").resolve("flags.tsv"));
            String text = SubmitArguments.via(arguments, rules)
                    .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("--via: not given (expected: HOST:PORT)"));
            Settings installation = installation(home);
            return execute(arguments, text, installation, rules, out, err);
        } catch (HearthException failure) {
            err.println("error: " + PrintableText.marked(String.valueOf(failure.getMessage())));
            return ErrorCode.of(failure)
                    .map(ErrorCode::exit)
                    .orElse(ExitCode.FAILED)
                    .status();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.TERMINATED.status();
        } catch (Exception failure) {
            err.println("error: internal: " + PrintableText.marked(failure.toString()));
            return ExitCode.UNCAUGHT.status();
        }
    }

    private static int execute(
            List<String> arguments,
            String text,
            Settings installation,
            InstalledRules rules,
            PrintStream out,
            PrintStream err)
            throws Exception {
        String masterKey = ApplicationSettings.MASTER.name();
        MasterUrl unnamed = ViaAddress.parse(text, HttpAccess.OPEN).unnamed();
        Settings below = Settings.empty()
                .with(ORIGIN, ApplicationSettings.DEPLOY_MODE.name(), "cluster")
                .with(ORIGIN, masterKey, unnamed.text())
                .with(installation);
        SubmissionRequest request = SubmitArguments.parseVia(
                arguments, below, rules, line -> err.println("warning: " + PrintableText.line(line)));
        Settings settings = settings(request, below);
        ViaAddress address = ViaAddress.parse(text, HttpAccess.from(settings));
        Optional<String> master = ViaCommand.named(settings, masterKey, unnamed.text());
        ViaServer server = new ViaServer(address, master, Ticker.system(), Pauses.real());
        ViaCommand command = new ViaCommand(
                out,
                err,
                rules,
                SubmitStyle.ofProcess(),
                Boolean.getBoolean(TERMINAL),
                EndSignals.ofProcess(),
                address,
                server,
                master);
        return request.accept(command).status();
    }

    private static Settings settings(SubmissionRequest request, Settings otherwise) {
        if (request instanceof SubmissionRequest.Submit submit) {
            return submit.plan().settings();
        }
        if (request instanceof SubmissionRequest.Status status) {
            return status.settings();
        }
        return request instanceof SubmissionRequest.Kill kill ? kill.settings() : otherwise;
    }

    private static Settings installation(Path home) {
        String given = System.getenv().getOrDefault("HEARTH_CONF_DIR", "");
        Path file = (given.isEmpty() ? home.resolve("conf") : Path.of(given)).resolve("hearth-defaults.conf");
        SettingsSources sources = new SettingsSources(Path.of(""), System.getenv())
                .properties(System.getProperties(), "-D")
                .environment()
                .defaults(file, file.toString());
        String sparkDefaults = System.getProperty(SPARK_DEFAULTS, "");
        if (!sparkDefaults.isEmpty()) {
            sources.sparkDefaults(Path.of(sparkDefaults));
        }
        return sources.over(Settings.empty());
    }

    /** The rules that the build has merged. Those of bundles in deploy/ are known to the process that submits. */
    private static InstalledRules rules(Path file) throws IOException {
        SubmissionRuleTable table;
        try (InputStream in = Files.newInputStream(file)) {
            table = SubmissionRuleTable.read("lib/flags.tsv", in);
        }
        return new InstalledRules() {
            @Override
            public SubmissionRuleTable rules() {
                return table;
            }

            @Override
            public SubmissionRuleTable allRules() {
                return table;
            }
        };
    }
}
