package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.kernel.Deployer.Deployed;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable Deployer deployer;

    @Descriptor("""
            Copies a jar into deploy/ of the kernel.
            deploy JAR [--json]   JAR: a file on the machine of that kernel""")
    public void deploy(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "deploy", arguments, 1);
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
        call.answer(FieldList.begin()
                .fact("file", OutputValue.of(present.deploy(jar)))
                .build());
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
        Table.Builder table = Table.of("file", "content", "name", "version", "state", "heldBy", "problem");
        for (Deployed one : call.need(deployer, Deployer.class).deployed()) {
            OutputValue state = OutputValue.of(one.state().name());
            table.row(
                    OutputValue.of(one.file()),
                    OutputValue.of(one.content()).shownAs(start(one.content())),
                    OutputValue.of(one.name()),
                    OutputValue.of(one.version()),
                    switch (one.state()) {
                        case RUNNING -> state.good();
                        case REFUSED -> state.bad();
                        case SETTLING, SUPERSEDED, ON_DEMAND, OTHER_ROLE, DRAINING, GONE -> state;
                    },
                    OutputValue.of(one.heldBy()),
                    OutputValue.of(one.problem()).bad());
        }
        call.answer(table.build("deploy/ holds no bundle"));
    }

    private static String start(String content) {
        return content.substring(0, Math.min(CONTENT_SHOWN, content.length()));
    }
}
