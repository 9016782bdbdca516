package dev.hearth.itests.architecture;

import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.role.RoleOption;
import dev.hearth.spi.role.RoleOptionTable;
import dev.hearth.spi.role.RoleUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Manual pages of roles, commands and scripts, in the language of man, made from the tables that help reads too. */
final class ManualPages {
    private static final String SUBMIT = "submit";
    private static final String FRONT = "hearth";

    private final RoleOptionTable roles;
    private final SubmissionRuleTable flags;

    ManualPages(RoleOptionTable roles, SubmissionRuleTable flags) {
        this.roles = roles;
        this.flags = flags;
    }

    /** Returns the pages, by the name of their file. */
    Map<String, String> pages() {
        Map<String, String> pages = new TreeMap<>();
        for (String name : roles.names()) {
            roles.usage(name)
                    .filter(usage -> usage.kind() != RoleUsage.Kind.COMMAND)
                    .ifPresent(usage -> pages.put(pageName(usage) + ".1", page(usage)));
        }
        return pages;
    }

    private static String pageName(RoleUsage usage) {
        return usage.kind() == RoleUsage.Kind.ROLE ? FRONT + "-" + usage.name() : usage.name();
    }

    private String page(RoleUsage usage) {
        String name = pageName(usage);
        StringBuilder page = new StringBuilder(".\\\" Generated from lib/roles.tsv and lib/flags.tsv.\n");
        page.append(".TH ").append(name.toUpperCase(Locale.ROOT)).append(" 1 \"\" \"Hearth\" \"Hearth\"\n");
        page.append(".SH NAME\n").append(text(name)).append(" \\- ").append(text(lowered(usage.summary())));
        page.append("\n.SH SYNOPSIS\n.B ").append(text(command(usage))).append('\n');
        String options = options(usage).isEmpty() || usage.name().equals(SUBMIT) ? "" : "[option...] ";
        page.append(text((options + usage.operands()).strip())).append('\n');
        page.append(".SH DESCRIPTION\n").append(text(usage.summary())).append('\n');
        usage.notes().forEach(note -> page.append(".PP\n").append(text(note)).append('\n'));
        page.append(options(usage).isEmpty() ? "" : ".SH OPTIONS\n");
        options(usage).forEach(option -> page.append(option));
        if (usage.name().equals(FRONT)) {
            list(page, "ROLES", RoleUsage.Kind.ROLE);
            list(page, "COMMANDS", RoleUsage.Kind.COMMAND);
            list(page, "SCRIPTS", RoleUsage.Kind.SCRIPT);
        }
        variables(page, usage);
        page.append(".SH EXIT STATUS\n");
        page.append(text("0 when all went well, 2 for wrong arguments or settings, 7 when the process could not start,"
                + " 143 when it was ordered to end; docs/errors.md lists all."));
        page.append('\n');
        if (!usage.examples().isEmpty()) {
            page.append(".SH EXAMPLES\n.nf\n");
            usage.examples().forEach(example -> page.append(text(example)).append('\n'));
            page.append(".fi\n");
        }
        return page.append(".SH SEE ALSO\n").append(seeAlso(usage)).toString();
    }

    private static String command(RoleUsage usage) {
        return usage.name().equals(SUBMIT)
                ? SUBMIT
                : usage.kind() == RoleUsage.Kind.ROLE ? FRONT + " " + usage.name() : usage.name();
    }

    private List<String> options(RoleUsage usage) {
        List<String> options = new ArrayList<>();
        if (usage.name().equals(SUBMIT)) {
            for (String scheme : flags.schemes()) {
                String only = scheme.equals(SubmissionRuleTable.GENERAL) ? "" : " (masters " + scheme + ")";
                for (FlagRule flag : flags.rules(scheme).flags()) {
                    options.add(option(flag.name(), flag.alias(), flag.value(), flag.meaning() + only, flag.setting()));
                }
            }
            return options;
        }
        List<RoleOption> all = new ArrayList<>(usage.options());
        if (usage.kind() == RoleUsage.Kind.ROLE) {
            roles.options(RoleOptionTable.GENERAL).stream()
                    .filter(option -> all.stream().noneMatch(own -> own.isNamed(option.name())))
                    .forEach(all::add);
        }
        for (RoleOption option : all) {
            String words = option.kind() == RoleOption.Kind.IGNORED
                    ? "accepted, without effect: " + option.meaning()
                    : option.meaning();
            options.add(option(option.name(), option.alias(), option.value(), words, option.setting()));
        }
        return options;
    }

    private static String option(String name, String alias, String value, String meaning, String setting) {
        String names = text(name) + (alias.isEmpty() ? "" : ", " + text(alias));
        return ".TP\n\\fB" + names + "\\fR" + (value.isEmpty() ? "" : " \\fI" + text(value) + "\\fR") + "\n"
                + sentence(meaning) + (setting.isEmpty() ? "" : " Setting: " + text(setting) + ".") + "\n";
    }

    private void list(StringBuilder page, String title, RoleUsage.Kind kind) {
        page.append(".SH ").append(title).append('\n');
        for (String name : roles.names()) {
            roles.usage(name)
                    .filter(usage -> usage.kind() == kind)
                    .ifPresent(usage -> page.append(".TP\n\\fB")
                            .append(text(name))
                            .append("\\fR\n")
                            .append(text(usage.summary()))
                            .append('\n'));
        }
    }

    private void variables(StringBuilder page, RoleUsage usage) {
        List<RoleUsage.Variable> variables = new ArrayList<>(usage.variables());
        if (usage.name().equals(FRONT)) {
            variables.addAll(roles.variables(RoleOptionTable.GENERAL));
        }
        page.append(variables.isEmpty() ? "" : ".SH ENVIRONMENT\n");
        for (RoleUsage.Variable variable : variables) {
            page.append(".TP\n\\fB")
                    .append(text(variable.name()))
                    .append("\\fR=\\fI")
                    .append(text(variable.value()))
                    .append("\\fR\n")
                    .append(sentence(variable.meaning()))
                    .append(variable.alias().isEmpty() ? "" : " Also " + text(variable.alias()) + ".")
                    .append('\n');
        }
    }

    private static String seeAlso(RoleUsage usage) {
        return usage.name().equals(FRONT) ? ".BR hearth\\-submit (1)\n" : ".BR hearth (1)\n";
    }

    private static String sentence(String words) {
        String text = text(words);
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + (text.endsWith(".") ? "" : ".");
    }

    private static String lowered(String summary) {
        String words = summary.endsWith(".") ? summary.substring(0, summary.length() - 1) : summary;
        return Character.toLowerCase(words.charAt(0)) + words.substring(1);
    }

    private static String text(String words) {
        String escaped = words.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
