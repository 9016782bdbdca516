package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.time.Pauses;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Commands that add, remove and list the bundles in deploy/. Created for each call; stateless. */
@Component(
        service = DeployCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Bundles",
            CommandProcessor.COMMAND_FUNCTION + "=deploy",
            CommandProcessor.COMMAND_FUNCTION + "=undeploy",
            CommandProcessor.COMMAND_FUNCTION + "=deployed"
        })
public final class DeployCommands {
    private static final int CONTENT_SHOWN = 12;
    private static final String NO_WAIT = "--no-wait";
    private static final long PAUSE_MILLIS = 50;
    /** Maximum time until a deployed file runs or is refused. */
    static final long WAIT_MILLIS_MAX = 60_000;

    private final Pauses pauses;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Deployer deployer;

    public DeployCommands() {
        this(Pauses.real());
    }

    DeployCommands(Pauses pauses) {
        this.pauses = pauses;
    }

    @Descriptor("""
            Copies a jar into deploy/ and waits until it runs.
            deploy JAR [--no-wait] [--json]   JAR: a file on the machine of that kernel
            Example: deploy target/my-manager-1.0.jar""")
    public void deploy(CommandSession session, String[] arguments) throws InterruptedException {
        CommandCall call = CommandCall.of(session, "deploy", arguments, 1, NO_WAIT);
        String name = call.need(0, "jar");
        Deployer present = call.need(deployer, Deployer.class);
        Path jar;
        try {
            jar = Path.of(name).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw call.misused("file '" + name + "' (expected: the path of a jar)");
        }
        if (!Files.isRegularFile(jar)) {
            throw ErrorCode.PATH_MISSING.failure("hearth:deploy: '" + jar + "': no such file (expected: a jar)");
        }
        Set<String> before =
                present.deployed().stream().map(Deployed::content).collect(Collectors.toCollection(TreeSet::new));
        String content = hash(jar);
        String file = present.deploy(jar);
        FieldList.Builder answer = FieldList.begin().fact("file", OutputValue.of(file));
        if (!call.has(NO_WAIT)) {
            Deployed deployed = awaitDecision(present, file, content, before);
            answer.fact("name", OutputValue.of(deployed.name()))
                    .fact("version", OutputValue.of(deployed.version()))
                    .fact("state", state(deployed));
            if (!deployed.problem().isEmpty()) {
                answer.fact("problem", OutputValue.of(deployed.problem()));
            }
        }
        call.answer(answer.build());
    }

    /** Waits until the deployer has decided about the file; fails if it refuses the bundle or takes too long. */
    private Deployed awaitDecision(Deployer present, String file, String content, Set<String> before)
            throws InterruptedException {
        for (long waited = 0; waited < WAIT_MILLIS_MAX; waited += PAUSE_MILLIS) {
            for (Deployed one : present.deployed()) {
                boolean isIt = one.content().equals(content) || !before.contains(one.content());
                if (!one.file().equals(file) || !isIt || one.state() == Deployer.State.SETTLING) {
                    continue;
                }
                if (one.state() == Deployer.State.REFUSED) {
                    throw ErrorCode.NOT_DEPLOYED.failure(
                            "hearth:deploy: '" + file + "': refused: " + one.problem() + "; undeploy removes the file");
                }
                if (one.state() != Deployer.State.DRAINING && one.state() != Deployer.State.GONE) {
                    return one;
                }
            }
            pauses.millis(PAUSE_MILLIS);
        }
        throw ErrorCode.COMMAND_FAILED.failure("hearth:deploy: '" + file + "': neither running nor refused after "
                + WAIT_MILLIS_MAX / 1000 + " s (expected: either); see 'deployed'");
    }

    private static String hash(Path jar) {
        try (InputStream in = new DigestInputStream(Files.newInputStream(jar), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of()
                    .formatHex(((DigestInputStream) in).getMessageDigest().digest());
        } catch (IOException | NoSuchAlgorithmException e) {
            throw ErrorCode.PATH_MISSING.failure("hearth:deploy: '" + jar + "': " + e + " (expected: a jar)", e);
        }
    }

    @Descriptor("""
            Removes a file from deploy/; users keep the bundle.
            undeploy FILE [--json]   FILE: its name in the output of 'deployed'
            Example: undeploy my-manager-1.0.jar""")
    public void undeploy(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "undeploy", arguments, 1);
        String file = call.need(0, "file");
        call.need(deployer, Deployer.class).undeploy(file);
        call.answer(FieldList.begin().fact("file", OutputValue.of(file)).build());
    }

    @Descriptor("""
            Lists the files of deploy/: state, problem, users.
            deployed [--json]
            Example: deployed""")
    public void deployed(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "deployed", arguments, 0);
        Table.Builder table = Table.of("file", "content", "name", "version", "state", "heldBy", "problem")
                .lastIsNote();
        Deployer present = call.need(deployer, Deployer.class);
        for (Deployed one : present.deployed()) {
            table.row(
                    OutputValue.of(one.file()),
                    OutputValue.of(one.content()).shownAs(start(one.content())),
                    OutputValue.of(one.name()),
                    OutputValue.of(one.version()),
                    state(one),
                    OutputValue.of(one.heldBy()),
                    OutputValue.of(one.problem()).bad());
        }
        call.answer(table.build(
                present.isWatching()
                        ? "deploy/ holds no bundle"
                        : "this process does not follow deploy/; --to HOST:PORT asks one that does, such as a master"));
    }

    private static OutputValue state(Deployed one) {
        OutputValue state = OutputValue.of(one.state().name());
        return switch (one.state()) {
            case RUNNING -> state.good();
            case REFUSED -> state.bad();
            case SETTLING, SUPERSEDED, ON_DEMAND, OTHER_ROLE, DRAINING, GONE -> state;
        };
    }

    private static String start(String content) {
        return content.substring(0, Math.min(CONTENT_SHOWN, content.length()));
    }
}
