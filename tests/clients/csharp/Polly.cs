// What the generated client names of Polly, which no package of the system has. It is used only by a program that sets a
// policy.
namespace Polly
{
    public enum OutcomeType { Successful, Failure }

    public sealed class PolicyResult<T>
    {
        public OutcomeType Outcome;
        public T Result;
        public System.Exception FinalException;
    }

    public interface ISyncPolicy<T> { }

    public interface IAsyncPolicy<T>
    {
        System.Threading.Tasks.Task<PolicyResult<T>> ExecuteAndCaptureAsync(
            System.Func<System.Threading.Tasks.Task<T>> run);
    }
}
