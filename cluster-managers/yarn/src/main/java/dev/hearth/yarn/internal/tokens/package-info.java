/**
 * Delegation tokens of one application while it runs. One owner in the driver makes new ones and gives them to executors;
 * no other process fetches, renews or stores any.
 *
 * <p>Terms. A <i>ticket</i> is what a login with Kerberos has. A <i>token</i> is a secret of one service, such as a
 * NameNode, made by a login and passed to processes without one. It is valid for a <i>renewal interval</i>; the
 * ResourceManager extends that of the tokens of the submission, up to their <i>longest life</i>. The driver renews nothing:
 * before an interval ends it makes new tokens, which also replace those whose longest life ends.
 *
 * <p>{@link dev.hearth.yarn.internal.tokens.TokenSchedule} decides when, without a clock or a thread. Its states:
 *
 * <pre>
 *   HELD      tokens that this process cannot replace: it has no login. Warnings come before they end.
 *   WAITING   tokens in use, and the next ones are planned
 *   FETCHING  new tokens are being made
 *   RETRYING  the last attempt has failed, and the next one is planned
 *   CLOSED
 * </pre>
 *
 * <p>{@link dev.hearth.yarn.internal.tokens.TokenRenewal} owns a schedule on the application's loop, and calls a
 * {@link dev.hearth.yarn.internal.tokens.TokenSource}, which blocks, on a thread of its own. It looks after the ticket too;
 * {@link dev.hearth.yarn.internal.tokens.TicketWatch} says when that is worth a warning.
 *
 * <p>Who gets tokens. New containers get the latest in their credentials, by which their NodeManager fetches their files.
 * Running executors get them by messages of the engine, before any later task. A driver on the cluster that YARN starts
 * again makes its own before its program begins, because those of the submission may have ended. A relay needs none: it
 * speaks with the ResourceManager and NodeManagers alone, by tokens of YARN, which they replace themselves.
 *
 * <p>A worked failure. Tokens are valid for 24 h, so the schedule fetches after 18 h. The KDC is away. The attempt fails, a
 * warning says that the tokens in use are valid for another 6 h, and attempts follow after 1, 2, 4, ... minutes, then each
 * hour. At the last, when they have ended, an error says so, and attempts go on each minute. The first that succeeds is
 * logged, its tokens go to all executors, and the schedule waits again.
 */
@NullMarked
package dev.hearth.yarn.internal.tokens;

import org.jspecify.annotations.NullMarked;
