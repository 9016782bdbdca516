package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Users and groups that may see an application or end it, besides its owner. Immutable. */
public record AclSettings(
        List<String> viewers,
        List<String> viewerGroups,
        List<String> modifiers,
        List<String> modifierGroups,
        List<String> administrators,
        List<String> administratorGroups) {
    private static final String ALL = "*";
    private static final SettingKey<List<String>> VIEWERS =
            users("hearth.ui.view.acls", "Users who may see an application on YARN and its logs; * for all.");
    private static final SettingKey<List<String>> VIEWER_GROUPS = users(
            "hearth.ui.view.acls.groups", "Groups whose users may see an application on YARN and its logs; * for all.");
    private static final SettingKey<List<String>> MODIFIERS =
            users("hearth.modify.acls", "Users who may end an application on YARN; * for all.");
    private static final SettingKey<List<String>> MODIFIER_GROUPS =
            users("hearth.modify.acls.groups", "Groups whose users may end an application on YARN; * for all.");
    private static final SettingKey<List<String>> ADMINISTRATORS =
            users("hearth.admin.acls", "Users who may see and end an application on YARN; * for all.");
    private static final SettingKey<List<String>> ADMINISTRATOR_GROUPS =
            users("hearth.admin.acls.groups", "Groups whose users may see and end an application on YARN; * for all.");

    public static final List<SettingKey<?>> KEYS =
            List.of(VIEWERS, VIEWER_GROUPS, MODIFIERS, MODIFIER_GROUPS, ADMINISTRATORS, ADMINISTRATOR_GROUPS);

    public AclSettings {
        viewers = List.copyOf(viewers);
        viewerGroups = List.copyOf(viewerGroups);
        modifiers = List.copyOf(modifiers);
        modifierGroups = List.copyOf(modifierGroups);
        administrators = List.copyOf(administrators);
        administratorGroups = List.copyOf(administratorGroups);
    }

    private static SettingKey<List<String>> users(String name, String description) {
        return SettingKey.list(name, List.of(), description);
    }

    /** Reads the settings; {@code in} records the problems. */
    public static AclSettings read(SettingsReader in) {
        return new AclSettings(
                in.read(VIEWERS),
                in.read(VIEWER_GROUPS),
                in.read(MODIFIERS),
                in.read(MODIFIER_GROUPS),
                in.read(ADMINISTRATORS),
                in.read(ADMINISTRATOR_GROUPS));
    }

    /** The lists of an application of {@code owner} by their names at YARN: users, a blank, and groups. */
    public Map<String, String> lists(String owner) {
        Map<String, String> lists = new LinkedHashMap<>();
        lists.put("VIEW_APP", list(owner, viewers, viewerGroups));
        lists.put("MODIFY_APP", list(owner, modifiers, modifierGroups));
        return lists;
    }

    private String list(String owner, List<String> users, List<String> groups) {
        Set<String> allUsers = new LinkedHashSet<>(List.of(owner));
        allUsers.addAll(administrators);
        allUsers.addAll(users);
        Set<String> allGroups = new LinkedHashSet<>(administratorGroups);
        allGroups.addAll(groups);
        if (allUsers.contains(ALL) || allGroups.contains(ALL)) {
            return ALL; // YARN takes it only if it stands alone
        }
        return (String.join(",", allUsers) + " " + String.join(",", allGroups)).stripTrailing();
    }
}
